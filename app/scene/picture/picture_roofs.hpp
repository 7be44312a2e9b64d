// The roofs of a roofline with their names, the region under DRAM's, and the ridge.
#pragma once

#include "app/scene/picture/picture_axes.hpp"

namespace rooftile::scene {

void lay_out_roofs(ChartPicture& picture, LabelRoom& room, const Chart& chart, const Axes& axes,
                   const ChartFrame& frame);
// Labels stand where dots and other labels leave room.
void label_roofs(ChartPicture& picture, LabelRoom& room, const Chart& chart, const Axes& axes,
                 const ChartFrame& frame);

}  // namespace rooftile::scene
