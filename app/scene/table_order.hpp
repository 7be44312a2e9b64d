// Which lines the table of points has, and in which order.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "app/scene/app_state.hpp"

namespace rooftile::scene {

std::string_view title(TableColumn column);  // "of roof"

// Of these launches those whose words contain every word of the filter, in any case; sorted by the chosen
// column, what is not known last; unsorted they stay in their order.
std::vector<std::uint64_t> ordered(const AppState& state, std::vector<std::uint64_t> ids);

}  // namespace rooftile::scene
