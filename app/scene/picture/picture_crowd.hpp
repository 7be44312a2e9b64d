// The crowd of a roofline: launches that are too many to stand there as more than small dots.
#pragma once

#include "app/scene/picture/picture_axes.hpp"

namespace rooftile::scene {

// Drawn by level and evidence. The newest is drawn where several fall on one place.
void lay_out_crowd(ChartPicture& picture, const Chart& chart, const RooflineScales& scales,
                   const ChartFrame& frame);

}  // namespace rooftile::scene
