// The visited points as lines of the table, newest first.
#pragma once

#include <vector>

#include "app/scene/app_state.hpp"

namespace rooftile::scene {

std::vector<TableRow> table_rows(const AppState& state, const Roofs& roofs);

}  // namespace rooftile::scene
