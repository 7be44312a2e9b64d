// Replaces names in an expression, or in the C++ name of a kernel.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace rooftile {

using Substitutes = std::map<std::string, std::string, std::less<>>;  // by name

// The text with these in place of its names. A name that is called, as in "min(a, b)", is a function and stays.
// Ends early where it becomes longer than `longest`.
std::string substituted(std::string_view text, const Substitutes& substitutes,
                        std::size_t longest = std::string::npos);

}  // namespace rooftile
