// The fastest launch of what is chosen.
#pragma once

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// The fastest at the chosen GPU, kernel, caches and sizes, whatever its dials; null: nothing was measured.
const Point* best_launch(const AppState& state);

}  // namespace rooftile::scene
