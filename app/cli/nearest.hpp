// Which known name was meant.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rooftile::cli {

// Letters to add, drop, change or swap with a neighbour to make one of the other; case does not count.
int edit_distance(std::string_view a, std::string_view b);

// Empty when none is near: more than a third of the letters differ.
std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& known);

// "There is no kernel "sgem_tiled"; did you mean sgemm_tiled? Known are: ..."
std::string no_such(std::string_view what, std::string_view name, const std::vector<std::string>& known);

}  // namespace rooftile::cli
