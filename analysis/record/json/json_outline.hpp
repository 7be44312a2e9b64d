// The keys that a struct has in JSON, from the description by which json_fields.hpp writes and reads them.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/record/json/json_fields.hpp"
#include "analysis/record/records.hpp"

namespace rooftile {

template <class Struct>
std::vector<RecordField> outline_of();

class JsonOutline {
 public:
  template <class T>
  void required(std::string_view key, const T&, Range range = {}) {
    add<T>(key, range, true);
  }
  template <class T>
  void optional(std::string_view key, const std::optional<T>&, Range range = {}) {
    add<T>(key, range, false);
  }
  template <class T>
  void optional(std::string_view key, const T&, Range range = {}) {
    add<T>(key, range, false);
  }
  std::vector<RecordField> take() { return std::move(fields_); }

 private:
  template <class T>
  struct Type {  // a struct
    static std::string name() { return "object"; }
    static void add_fields(JsonOutline& outline, const std::string& path) {
      for (const RecordField& field : outline_of<T>()) {
        outline.fields_.push_back({path + "." + field.path, field.type, field.required});
      }
    }
  };
  struct Plain {
    static void add_fields(JsonOutline&, const std::string&) {}
  };
  template <class T>
  void add(std::string_view key, Range range, bool required) {
    fields_.push_back({std::string(key), Type<T>::name() + text(range), required});
    Type<T>::add_fields(*this, std::string(key));
  }

  std::vector<RecordField> fields_;
};

template <>
struct JsonOutline::Type<bool> : Plain {
  static std::string name() { return "true or false"; }
};
template <std::integral T>
struct JsonOutline::Type<T> : Plain {
  static std::string name() { return "whole number"; }
};
template <>
struct JsonOutline::Type<double> : Plain {
  static std::string name() { return "number"; }
};
template <int F, int B, int S>
struct JsonOutline::Type<Quantity<F, B, S>> : Plain {
  static std::string name() { return "number"; }
};
template <>
struct JsonOutline::Type<std::string> : Plain {
  static std::string name() { return "text"; }
};
template <>
struct JsonOutline::Type<ComputeCapability> : Plain {
  static std::string name() { return "text such as \"9.0\""; }
};
template <>
struct JsonOutline::Type<Dim3> : Plain {
  static std::string name() { return "list of three whole numbers"; }
};
template <Enum T>
struct JsonOutline::Type<T> : Plain {
  static std::string name() { return fmt::format("one of {}", fmt::join(names_of(T{}), ", ")); }
};
template <class T>
struct JsonOutline::Type<std::vector<T>> {
  static std::string name() { return fmt::format("list, each {}", Type<T>::name()); }
  static void add_fields(JsonOutline& outline, const std::string& path) {
    Type<T>::add_fields(outline, path + "[]");
  }
};
template <class T>
struct JsonOutline::Type<std::map<std::string, T>> : Plain {
  static std::string name() { return fmt::format("object, each value a {}", Type<T>::name()); }
};

template <class Struct>
std::vector<RecordField> outline_of() {
  JsonOutline outline;
  const Struct value{};
  describe(outline, value);
  return outline.take();
}

}  // namespace rooftile
