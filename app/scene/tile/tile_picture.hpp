// Buffers side by side, with the cells that a block touches, and the block's place below its roofs.
#pragma once

#include "app/scene/picture/chart_picture.hpp"

namespace rooftile::scene {

// Faint: touched in earlier steps. Bright: in this step, by the chosen warp in its own colour, by its lane 0 in
// another. At the right the roofs of L1 and of the pipe, with the block where it stands at this step.
Drawing tile_picture(const TileView& view, const ChartFrame& frame);

}  // namespace rooftile::scene
