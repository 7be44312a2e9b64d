// Structs to JSON and back from one description of their fields:
//
//   void describe(auto& fields, Is<Timing> auto& timing) {
//     fields.required("median_s", timing.median, {0, 1e6});
//     fields.optional("notes", timing.notes);
//   }
//
// An enum needs `auto names_of(Enum)`, an array of its names in order. Optional fields are left out when they
// are empty. A number outside its range is refused, as is one inside a list or an object. Unknown keys are
// skipped; every complaint names the key, "point.timing.median_s", and what was expected.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "analysis/chip/gpu.hpp"
#include "analysis/model/model.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/range.hpp"
#include "analysis/text/units.hpp"

namespace rooftile {

template <class T, class Struct>
concept Is = std::same_as<std::remove_const_t<T>, Struct>;

template <class T>
concept Enum = std::is_enum_v<T>;

class JsonWriter {
 public:
  using Json = nlohmann::ordered_json;

  explicit JsonWriter(std::string path) : path_(std::move(path)) {}

  void required(std::string_view key, const auto& value, Range = {}) {
    json_[std::string(key)] = encode(value, path_ + "." + std::string(key));
  }
  template <class T>
  void optional(std::string_view key, const std::optional<T>& value, Range = {}) {
    if (value) {
      required(key, *value);
    }
  }
  void optional(std::string_view key, bool value) {
    if (value) {
      required(key, value);
    }
  }
  void optional(std::string_view key, double value, Range = {}) {
    if (value != 0) {
      required(key, value);
    }
  }
  void optional(std::string_view key, const auto& container, Range = {}) {
    if (!container.empty()) {
      required(key, container);
    }
  }
  Json take() { return std::move(json_); }

 private:
  static Json encode(bool value, const std::string&) { return value; }
  static Json encode(const std::integral auto& value, const std::string&) { return value; }
  static Json encode(const std::string& value, const std::string&) { return value; }
  static Json encode(ComputeCapability value, const std::string&) { return text(value); }
  static Json encode(const Enum auto& value, const std::string&) {
    return names_of(value).at(static_cast<std::size_t>(value));
  }
  static Json encode(const Dim3& value, const std::string&) { return {value.x, value.y, value.z}; }

  // Whole numbers without a fraction: shorter, and exact all the same.
  static Json encode(double value, const std::string& path) {
    constexpr double exact = 9007199254740992;  // 2^53
    if (!std::isfinite(value)) {
      throw Error(fmt::format("{} is not a finite number and cannot be written", path));
    }
    const bool whole =
        std::trunc(value) == value && std::abs(value) < exact && !(value == 0 && std::signbit(value));
    return whole ? Json(static_cast<std::int64_t>(value)) : Json(value);
  }
  template <int F, int B, int S>
  static Json encode(Quantity<F, B, S> value, const std::string& path) {
    return encode(value.value, path);
  }
  template <class T>
  static Json encode(const std::vector<T>& values, const std::string& path) {
    Json list = Json::array();
    for (const T& value : values) {
      list.push_back(encode(value, path));
    }
    return list;
  }
  template <class T>
  static Json encode(const std::map<std::string, T>& values, const std::string& path) {
    Json object = Json::object();
    for (const auto& [key, value] : values) {
      object[key] = encode(value, path + "." + key);
    }
    return object;
  }
  static Json encode(const auto& object, const std::string& path) {
    JsonWriter fields(path);
    describe(fields, object);
    return fields.take();
  }

  std::string path_;
  Json json_ = Json::object();
};

// The place of a value: "point.timing.median_s", "point.notes[0]". Its text is put together only for a
// complaint, so the parent must live as long.
class JsonPath {
 public:
  explicit JsonPath(std::string_view root) : key_(root) {}
  JsonPath(const JsonPath& parent, std::string_view key) : parent_(&parent), key_(key) {}
  JsonPath(const JsonPath& parent, std::size_t index) : parent_(&parent), index_(index) {}

  std::string text() const {
    if (!parent_) {
      return std::string(key_);
    }
    return index_ ? fmt::format("{}[{}]", parent_->text(), *index_)
                  : fmt::format("{}.{}", parent_->text(), key_);
  }

 private:
  const JsonPath* parent_ = nullptr;
  std::string_view key_;
  std::optional<std::size_t> index_;
};

class JsonReader {
 public:
  using Json = simdjson::dom::element;
  using Value = std::optional<Json>;  // empty where there is none

  JsonReader(const Value& json, const JsonPath& path)
      : json_(read_as<simdjson::dom::object>(json, path, "an object")), path_(path), next_(json_.begin()) {}

  void required(std::string_view key, auto& value, Range range = {}) const {
    decode(find(key), JsonPath(path_, key), value, range);
  }
  template <class T>
  void optional(std::string_view key, std::optional<T>& value, Range range = {}) const {
    value.reset();
    if (const Value found = find(key)) {
      decode(found, JsonPath(path_, key), value.emplace(), range);
    }
  }
  void optional(std::string_view key, auto& container, Range range = {}) const {
    if (const Value found = find(key)) {
      decode(found, JsonPath(path_, key), container, range);
    }
  }

 private:
  using Fields = simdjson::dom::object::iterator;

  // Files have the keys in the order in which they are read here: each is found next to the one before.
  Value find(std::string_view key) const {
    const auto found = find(key, next_, json_.end());
    return found ? found : find(key, json_.begin(), next_);
  }
  Value find(std::string_view key, Fields field, Fields end) const {
    for (; field != end; ++field) {
      if (field.key() == key) {
        const Value value = field.value();
        next_ = ++field;
        return value;
      }
    }
    return std::nullopt;
  }

  template <class T>
  static std::optional<T> get(const Value& json) {
    T value;
    return json && json->get(value) == simdjson::SUCCESS ? std::optional(value) : std::nullopt;
  }
  template <class T>
  static T read_as(const Value& json, const JsonPath& path, std::string_view what) {
    const auto value = get<T>(json);
    if (!value) {
      refuse(json, path, what);
    }
    return *value;
  }
  [[noreturn]] static void refuse(const Value& json, const JsonPath& path, std::string_view what) {
    const bool missing = !json || json->is_null();
    throw Error(fmt::format("{} {} {}", path.text(), missing ? "is missing; expected" : "must be", what));
  }

  static void decode(const Value& json, const JsonPath& path, bool& value, Range) {
    value = read_as<bool>(json, path, "true or false");
  }
  static void decode(const Value& json, const JsonPath& path, std::integral auto& value, Range range) {
    using T = std::remove_reference_t<decltype(value)>;
    const auto natural = get<std::uint64_t>(json);
    const auto whole = natural ? std::nullopt : get<std::int64_t>(json);
    const bool fits = natural ? std::in_range<T>(*natural) : whole && std::in_range<T>(*whole);
    const T found = natural ? static_cast<T>(*natural) : static_cast<T>(whole.value_or(0));
    if (!fits || !range.holds(static_cast<double>(found))) {
      using Limits = std::numeric_limits<T>;
      refuse(json, path,
             "a whole number" + (range.is_everything()
                                     ? fmt::format(" from {} to {}", Limits::min(), Limits::max())
                                     : text(range)));
    }
    value = found;
  }
  static void decode(const Value& json, const JsonPath& path, double& value, Range range) {
    const auto number = get<double>(json);
    if (!number || !range.holds(*number)) {
      refuse(json, path, "a number" + text(range));
    }
    value = *number;
  }
  template <int F, int B, int S>
  static void decode(const Value& json, const JsonPath& path, Quantity<F, B, S>& value, Range range) {
    decode(json, path, value.value, range);
  }
  static void decode(const Value& json, const JsonPath& path, std::string& value, Range) {
    value = read_as<std::string_view>(json, path, "a text");
  }
  static void decode(const Value& json, const JsonPath& path, ComputeCapability& value, Range) {
    const auto cc = compute_capability(get<std::string_view>(json).value_or(""));
    if (!cc) {
      refuse(json, path, "a compute capability such as \"9.0\"");
    }
    value = *cc;
  }
  static void decode(const Value& json, const JsonPath& path, Enum auto& value, Range) {
    const auto names = names_of(value);
    const auto name = get<std::string_view>(json);
    const auto found = name ? std::find(names.begin(), names.end(), *name) : names.end();
    if (found == names.end()) {
      refuse(json, path, fmt::format("one of {}", fmt::join(names, ", ")));
    }
    value = static_cast<std::remove_reference_t<decltype(value)>>(found - names.begin());
  }
  // The range is that of their product.
  static void decode(const Value& json, const JsonPath& path, Dim3& value, Range range) {
    const auto sides = get<simdjson::dom::array>(json);
    if (!sides || sides->size() != 3) {
      refuse(json, path, "a list of three whole numbers");
    }
    decode(sides->at(0).value_unsafe(), JsonPath(path, 0), value.x, range);
    decode(sides->at(1).value_unsafe(), JsonPath(path, 1), value.y, range);
    decode(sides->at(2).value_unsafe(), JsonPath(path, 2), value.z, range);
    if (!range.holds(1.0 * value.x * value.y * value.z)) {
      refuse(json, path, "a list of three whole numbers whose product is" + text(range));
    }
  }
  template <class T>
  static void decode(const Value& json, const JsonPath& path, std::vector<T>& values, Range range) {
    const auto list = read_as<simdjson::dom::array>(json, path, "a list");
    values.reserve(list.size());
    for (const Json element : list) {
      const std::size_t index = values.size();
      decode(element, JsonPath(path, index), values.emplace_back(), range);
    }
  }
  template <class T>
  static void decode(const Value& json, const JsonPath& path, std::map<std::string, T>& values, Range range) {
    for (const auto& [key, element] : read_as<simdjson::dom::object>(json, path, "an object")) {
      decode(element, JsonPath(path, key), values[std::string(key)], range);
    }
  }
  static void decode(const Value& json, const JsonPath& path, auto& object, Range) {
    JsonReader fields(json, path);
    describe(fields, object);
  }

  simdjson::dom::object json_;
  JsonPath path_;
  mutable Fields next_;  // where the next key is likely found
};

}  // namespace rooftile
