// The elements of each buffer that one block touches, step by step, and its work so far.
#pragma once

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// Shows the block in the middle of the dialled launch's grid, at the chosen step; from the compiled code.
TileView tile_view(const AppState& state);

}  // namespace rooftile::scene
