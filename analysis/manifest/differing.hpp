// Which parameters tell places, or launches, apart.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "analysis/text/expression.hpp"

namespace rooftile {

// The names whose values differ, and those that one of the two alone has.
std::set<std::string> differing(const Parameters& a, const Parameters& b);
// The names in which any two of them differ.
std::set<std::string> differing(const std::vector<const Parameters*>& all);

}  // namespace rooftile
