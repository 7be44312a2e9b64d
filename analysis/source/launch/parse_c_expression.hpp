// From text to an expression of C.
#pragma once

#include <optional>
#include <string_view>

#include "analysis/source/launch/c_expression.hpp"

namespace rooftile {

// Empty for what is no arithmetic: assignments, subscripts, functions that are not known to round or to
// compare.
std::optional<CExpression> parse_c_expression(std::string_view text);

// The size of a C type in bytes, also of "unsigned int"; 0 if it is not a basic type.
int size_of_c_type(std::string_view words);

}  // namespace rooftile
