// The values that a launch gives a kernel, as a kernel.toml can say them: numbers, pointers, and the members of
// structs by value.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/source/kernels/element_type.hpp"
#include "analysis/source/kernels/source_kernels.hpp"

namespace rooftile {

// A number or a pointer that the kernel is given: a parameter, or a member of one that is a struct by value.
struct GivenValue {
  std::string name, type;
  std::size_t parameter = 0;
  int at = 0, times = 1;  // in the struct

  bool is_pointer() const { return type.ends_with('*'); }
  std::string_view toml() const { return element_of(type).value_or(ElementType{}).toml; }
  bool is_size() const { return times == 1 && is_whole_number(toml()); }
};

// In the order of the parameters. names: of these; source: for messages. Throws Error where a parameter has a
// type that no argument has, with its line.
std::vector<GivenValue> given_values(const SourceKernel& kernel, const std::vector<std::string>& names,
                                     const std::filesystem::path& source, std::string_view code);

// The members of the struct that is this parameter; no bytes where there is none.
StructLayout layout_of(const SourceKernel& kernel, std::size_t parameter);

// The elements of a buffer.
struct Elements {
  ElementType type;
  bool of_several_types = false;  // then they are bytes
};
// Structs whose members are all of one type hold so many of it; other structs are bytes.
Elements elements_of_struct(const StructLayout& layout);

}  // namespace rooftile
