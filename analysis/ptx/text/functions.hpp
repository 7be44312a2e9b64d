// The functions of a module that its kernels may call, found before the kernels are read.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/ptx/text/ptx_cursor.hpp"

namespace rooftile::ptx {

struct Function {
  Cursor body;                                        // at its "{"
  std::vector<std::string_view> results, parameters;  // names
};
using Functions = std::unordered_map<std::string_view, Function>;

// It gives the functions that have a body, by name. It throws Error as Cursor does.
Functions functions_of(std::string_view ptx);

// From "(" to behind ")": "(param0, param1)", "(.param .align 8 .b8 point[16])". Empty where there is no "(".
std::vector<std::string_view> names_in_parentheses(Cursor& cursor);

}  // namespace rooftile::ptx
