// Structs to JSON, from the description of their fields (json_fields.hpp).
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <concepts>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/chip/gpu.hpp"
#include "analysis/chip/launch.hpp"
#include "analysis/record/json/json_fields.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/range.hpp"
#include "analysis/text/units.hpp"

namespace rooftile {

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

}  // namespace rooftile
