// The chart of a report: grid, roofs, every point faintly, the best of each kernel in full with a dot a level.
#pragma once

#include "app/cli/report_data.hpp"
#include "app/cli/svg.hpp"

namespace rooftile::cli {

// Leaves 70 above the plot for a title. Kernels without FLOPs have no place on it.
void draw_chart(Svg& svg, const Report& report, Spot corner, double width, double height);

}  // namespace rooftile::cli
