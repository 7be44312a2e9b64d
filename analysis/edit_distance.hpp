// Words of a user held against known names.
#pragma once

#include <string>
#include <string_view>

namespace rooftile {

// In small letters of ASCII.
std::string lowercase(std::string_view word);

// Letters to add, drop, change or swap with a neighbour to make one of the other; case does not count.
int edit_distance(std::string_view a, std::string_view b);

}  // namespace rooftile
