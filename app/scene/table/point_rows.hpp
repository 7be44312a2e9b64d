// The visited points as lines of the table, newest first unless the user wants another order.
#pragma once

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// `before`: what was worked out last; it is taken over where nothing it depends on has changed.
PointTable point_table(const AppState& state, TableKeys& keys, PointTable before = {});
// The words of one line. roofs: of the chosen GPU.
TableRow table_row(const AppState& state, std::uint64_t id, const Roofs& roofs);

}  // namespace rooftile::scene
