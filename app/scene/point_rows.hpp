// The visited points as lines of the table, newest first.
#pragma once

#include "app/scene/app_state.hpp"

namespace rooftile::scene {

PointTable point_table(const AppState& state);
// What the line of one point says. roofs: of the chosen GPU.
TableRow table_row(const AppState& state, std::uint64_t id, const Roofs& roofs);

}  // namespace rooftile::scene
