// The map: two dials of the chosen kernel across and down, and what was measured at each place.
#pragma once

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// At each place the fastest launch of the chosen GPU, kernel, caches, sizes and scalars; where there is none,
// the model's prediction with the other dials as they are. Places are within the noise of the best where their
// times differ by less than the wider spread of the two, at least 1 %. `before`: what was worked out last; it
// is taken over where nothing it depends on has changed.
Landscape landscape(const AppState& state, const Roofs& roofs, KeptMap& kept, Landscape before = {});

}  // namespace rooftile::scene
