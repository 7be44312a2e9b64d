// The map: two dials of the chosen kernel across and down, and what was measured at each place.
#pragma once

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// At each place the fastest launch of the chosen GPU, kernel, caches, sizes and scalars; where there is none,
// the least time that the model predicts, over the other dials too unless these are so many that they are held.
// Some predictions are made in each call, until the map is not `unfinished` any more. Places are within the
// noise of the best where their times differ by less than the wider spread of the two, at least 1 %. `before`:
// what was worked out last; it is taken over where nothing it depends on has changed.
Landscape landscape(const AppState& state, const Roofs& roofs, KeptMap& kept, Landscape before = {});

}  // namespace rooftile::scene
