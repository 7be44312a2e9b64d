// The advice beside the current launch: in words, where it leads on the chart, and what came of it.
#pragma once

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// Adds to the subject what to change next, what came of advice that was followed and why its time moved.
void add_advice(Subject& subject, const AppState& state, KeptAdvice& kept, const Roofs& roofs);
// The dot of an advised move on the chart; empty if it has no place there.
std::optional<ChartRow> advised_row(const AppState& state, const Roofs& roofs, const Move& move);
// The cell of a place that differs from the present one in the dials of the map.
std::optional<std::size_t> advised_cell(const Landscape& map, const Parameters& place);

}  // namespace rooftile::scene
