// Types of CUDA C++, as a compiler writes them, that buffers and arguments of a kernel.toml can have.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rooftile {

struct ElementType {
  std::string_view toml;  // "float"
  int elements = 1;       // 4 of a float4
  bool operator==(const ElementType&) const = default;
};
// Of "float", "unsigned char", "float4"; empty for a struct of somebody's own and for pointers.
std::optional<ElementType> element_of(std::string_view type);
int bytes_of_element_type(std::string_view toml);
bool is_whole_number(std::string_view toml);  // that can be a size: "int" or "long_long"

struct PointerType {
  std::string pointee;  // "float"
  bool is_const = false;
};
// Empty for what is no pointer.
std::optional<PointerType> pointer_of(std::string_view type);

// A struct by value, such as a float4, or a pointer to a struct that is none of CUDA's: only the compiler knows
// its members.
bool needs_layout(std::string_view type);

}  // namespace rooftile
