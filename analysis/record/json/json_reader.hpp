// JSON to structs, from the description of their fields (json_fields.hpp). A number outside its range is
// refused, as is one inside a list or an object. Unknown keys are skipped; every complaint names the key,
// "point.timing.median_s", and what was expected.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <simdjson.h>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "analysis/chip/gpu.hpp"
#include "analysis/chip/launch.hpp"
#include "analysis/record/json/json_fields.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/range.hpp"
#include "analysis/text/units.hpp"

namespace rooftile {

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
