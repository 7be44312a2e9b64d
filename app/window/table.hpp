// The visited points as lines of the table, newest first.
#pragma once

#include <vector>

#include "app/window/app_state.hpp"

namespace rooftile::window {

std::vector<TableRow> table_rows(const AppState& state, const Roofs& roofs);

}  // namespace rooftile::window
