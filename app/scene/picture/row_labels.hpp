// Labels beside dots, where they cover nothing else.
#pragma once

#include <span>

#include "app/scene/picture/picture_rows.hpp"

namespace rooftile::scene {

// Two pairs of words in a box beside a spot.
void lay_out_flag(Drawing& drawing, LabelRoom& room, Spot spot, const std::string& strong,
                  const std::string& plain, const ChartFrame& frame);

// Labels each named row that has a place within reach of its dot, and a few plain rows where there is room.
void label_rows(ChartPicture& picture, LabelRoom& room, std::span<const StandingRow> rows, MemoryLevel level,
                const ChartFrame& frame);

}  // namespace rooftile::scene
