// Marks of the launches of another GPU or session, and the legend that names both.
#pragma once

#include "app/scene/picture/picture_rows.hpp"

namespace rooftile::scene {

// A diamond for each of their dots, those of the newest row joined to its dot of the level.
void lay_out_beside(ChartPicture& picture, LabelRoom& room, const Chart& chart,
                    std::span<const StandingRow> rows, const ChartLook& look, const ChartFrame& frame,
                    const Placing& placing);

// In a corner of the plot, at most as wide as the plot. Draws nothing without a second GPU.
void lay_out_legend(ChartPicture& picture, LabelRoom& room, const Chart& chart, const ChartFrame& frame);

}  // namespace rooftile::scene
