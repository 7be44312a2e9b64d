// One launch as a row of dots, and the rows a chart shows.
#pragma once

#include "app/scene/app_state.hpp"

namespace rooftile::scene {

// Everything but its label.
ChartRow chart_row(const Point& point, const Placement& placement);

// The visited points of the chosen kernel and the pinned ones, oldest first, the current one last.
void add_rows(Chart& chart, const AppState& state, const Roofs& roofs);

// Whether its bytes at L2 were counted by the definition.
bool counted_by(const Point& point, ByteDefinition definition);

}  // namespace rooftile::scene
