// The fastest launch of what is chosen.
#pragma once

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// Of the chosen GPU, kernel, caches, sizes and variants, whatever its dials; null where nothing was measured.
const Point* best_launch(const AppState& state);

}  // namespace rooftile::scene
