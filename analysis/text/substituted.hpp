// Finds the names in an expression, or in the C++ name of a kernel, and puts others in their place.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace rooftile {

using Substitutes = std::map<std::string, std::string, std::less<>>;  // by name

// A name that is called, as in "min(a, b)", is a function and not among them.
std::set<std::string, std::less<>> names_in(std::string_view text);

// The text with these in place of its names; functions stay. Ends early where it becomes longer than `longest`.
std::string substituted(std::string_view text, const Substitutes& substitutes,
                        std::size_t longest = std::string::npos);

}  // namespace rooftile
