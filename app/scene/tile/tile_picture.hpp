// Buffers side by side, with the cells that a block touches, and the block's place below its roofs.
#pragma once

#include "app/scene/picture/chart_picture.hpp"

namespace rooftile::scene {

// A buffer as it is drawn: so many cells across and down.
struct PlacedTile {
  Rect place;
  int across = 0, down = 0;
  std::optional<std::int64_t> cell_at(Spot spot) const;  // row by row
  Rect cell(std::int64_t number) const;
};

struct TilePicture {
  Drawing drawing;
  std::vector<PlacedTile> tiles;
};

// Faint: touched in earlier steps. Bright: in this step, by the chosen warp in its own colour, by its lane 0 in
// another; none of these where the view hides them. At the right the roofs of L1 and of the pipe, with the
// block where it stands at this step; where the result is wrong, the map of its wrong elements instead.
TilePicture tile_picture(const TileView& view, const ChartFrame& frame);

}  // namespace rooftile::scene
