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

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "analysis/error.hpp"
#include "analysis/gpu.hpp"
#include "analysis/model.hpp"
#include "analysis/range.hpp"
#include "analysis/units.hpp"

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

class JsonReader {
 public:
  using Json = nlohmann::json;

  JsonReader(const Json& json, std::string path) : json_(json), path_(std::move(path)) {
    expect(json.is_object(), json, path_, "an object");
  }

  void required(std::string_view key, auto& value, Range range = {}) const {
    const auto found = json_.find(key);
    const Json absent;
    decode(found == json_.end() ? absent : *found, fmt::format("{}.{}", path_, key), value, range);
  }
  template <class T>
  void optional(std::string_view key, std::optional<T>& value, Range range = {}) const {
    value.reset();
    if (json_.contains(key)) {
      required(key, value.emplace(), range);
    }
  }
  void optional(std::string_view key, auto& container, Range range = {}) const {
    if (json_.contains(key)) {
      required(key, container, range);
    }
  }

 private:
  static void expect(bool met, const Json& json, const std::string& path, const std::string& what) {
    if (!met) {
      throw Error(fmt::format("{} {} {}", path, json.is_null() ? "is missing; expected" : "must be", what));
    }
  }
  static void decode(const Json& json, const std::string& path, bool& value, Range) {
    expect(json.is_boolean(), json, path, "true or false");
    value = json.get<bool>();
  }
  static void decode(const Json& json, const std::string& path, std::integral auto& value, Range range) {
    using T = std::remove_reference_t<decltype(value)>;
    const bool fits = json.is_number_unsigned()
                          ? std::in_range<T>(json.get<std::uint64_t>())
                          : json.is_number_integer() && std::in_range<T>(json.get<std::int64_t>());
    if (!fits || !range.holds(json.get<double>())) {
      const std::string among =
          range.is_everything()
              ? fmt::format(" from {} to {}", std::numeric_limits<T>::min(), std::numeric_limits<T>::max())
              : text(range);
      expect(false, json, path, "a whole number" + among);
    }
    value = json.get<T>();
  }
  static void decode(const Json& json, const std::string& path, double& value, Range range) {
    if (!json.is_number() || !range.holds(json.get<double>())) {
      expect(false, json, path, "a number" + text(range));
    }
    value = json.get<double>();
  }
  template <int F, int B, int S>
  static void decode(const Json& json, const std::string& path, Quantity<F, B, S>& value, Range range) {
    decode(json, path, value.value, range);
  }
  static void decode(const Json& json, const std::string& path, std::string& value, Range) {
    expect(json.is_string(), json, path, "a text");
    value = json.get<std::string>();
  }
  static void decode(const Json& json, const std::string& path, ComputeCapability& value, Range) {
    const auto cc = json.is_string() ? compute_capability(json.get_ref<const std::string&>()) : std::nullopt;
    expect(cc.has_value(), json, path, "a compute capability such as \"9.0\"");
    value = *cc;
  }
  static void decode(const Json& json, const std::string& path, Enum auto& value, Range) {
    const auto names = names_of(value);
    const auto found = json.is_string()
                           ? std::find(names.begin(), names.end(), json.get_ref<const std::string&>())
                           : names.end();
    expect(found != names.end(), json, path, fmt::format("one of {}", fmt::join(names, ", ")));
    value = static_cast<std::remove_reference_t<decltype(value)>>(found - names.begin());
  }
  // The range is that of their product.
  static void decode(const Json& json, const std::string& path, Dim3& value, Range range) {
    expect(json.is_array() && json.size() == 3, json, path, "a list of three whole numbers");
    decode(json[0], path + "[0]", value.x, range);
    decode(json[1], path + "[1]", value.y, range);
    decode(json[2], path + "[2]", value.z, range);
    expect(range.holds(1.0 * value.x * value.y * value.z), json, path,
           "a list of three whole numbers whose product is" + text(range));
  }
  template <class T>
  static void decode(const Json& json, const std::string& path, std::vector<T>& values, Range range) {
    expect(json.is_array(), json, path, "a list");
    for (std::size_t i = 0; i < json.size(); ++i) {
      decode(json[i], fmt::format("{}[{}]", path, i), values.emplace_back(), range);
    }
  }
  template <class T>
  static void decode(const Json& json, const std::string& path, std::map<std::string, T>& values, Range range) {
    expect(json.is_object(), json, path, "an object");
    for (const auto& [key, element] : json.items()) {
      decode(element, path + "." + key, values[key], range);
    }
  }
  static void decode(const Json& json, const std::string& path, auto& object, Range) {
    JsonReader fields(json, path);
    describe(fields, object);
  }

  const Json& json_;
  std::string path_;
};

}  // namespace rooftile
