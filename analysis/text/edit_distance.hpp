// Compares the words of a user with known names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rooftile {

// Changes ASCII letters only.
std::string lowercase(std::string_view word);

// Letters to add, drop, change or swap with a neighbour to make one of the other; case does not count.
int edit_distance(std::string_view a, std::string_view b);

// The closest candidate. Empty where none is near: more than a third of the letters differ.
std::optional<std::string_view> nearest(std::string_view typed,
                                        const std::vector<std::string_view>& candidates);

}  // namespace rooftile
