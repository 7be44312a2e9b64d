// The map laid out for a pen: cells in colour with their figures, the scale, and a slice along one dial.
#pragma once

#include "app/scene/picture/chart_picture.hpp"

namespace rooftile::scene {

struct MapPicture {
  Drawing drawing;
  std::vector<Rect> cells;      // as in the map
  std::vector<PlacedDot> dots;  // of the scatter
};

// The cell of the launch that is pointed at is outlined, and those of launches that are selected.
MapPicture landscape_picture(const Landscape& map, const ChartFrame& frame,
                             std::optional<std::uint64_t> pointed = {},
                             const std::set<std::uint64_t>& selected = {});

}  // namespace rooftile::scene
