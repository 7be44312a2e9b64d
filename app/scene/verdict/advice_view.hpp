// The advice beside the current launch: in words, where it leads on the chart, and what came of it.
#pragma once

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// Adds to the shown subject what to change next, what came of advice that was followed and why its time moved.
void add_advice(AppState& state, const Roofs& roofs);
// Adds to the chart and the map where the advice leads.
void show_advised_place(AppState& state, const Roofs& roofs);

}  // namespace rooftile::scene
