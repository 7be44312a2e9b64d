// What is written beside dots, where it stands on nothing else.
#pragma once

#include <span>

#include "app/scene/picture/picture_rows.hpp"

namespace rooftile::scene {

// Two pairs of words in a box beside a spot.
void lay_out_flag(Drawing& drawing, LabelRoom& room, Spot spot, const std::string& strong,
                  const std::string& plain, const ChartFrame& frame);

// Of named rows each label that has a place within reach of its dot; of plain ones a few, where there is room.
void label_rows(ChartPicture& picture, LabelRoom& room, std::span<const StandingRow> rows, MemoryLevel level,
                const ChartFrame& frame);

}  // namespace rooftile::scene
