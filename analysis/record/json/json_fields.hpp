// The description of a struct's fields, by which json_writer.hpp writes it as JSON, json_reader.hpp reads it,
// and json_outline.hpp lists its keys:
//
//   void describe(auto& fields, Is<Timing> auto& timing) {
//     fields.required("median_s", timing.median, {0, 1e6});
//     fields.optional("notes", timing.notes);
//   }
//
// An enum needs `auto names_of(Enum)`, an array of its names in order. Optional fields are left out when they
// are empty.
#pragma once

#include <concepts>
#include <type_traits>

namespace rooftile {

template <class T, class Struct>
concept Is = std::same_as<std::remove_const_t<T>, Struct>;

template <class T>
concept Enum = std::is_enum_v<T>;

}  // namespace rooftile
