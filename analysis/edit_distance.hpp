// How far apart two words are, to tell which known name was meant.
#pragma once

#include <string_view>

namespace rooftile {

// Letters to add, drop, change or swap with a neighbour to make one of the other; case does not count.
int edit_distance(std::string_view a, std::string_view b);

}  // namespace rooftile
