// The roofs of the roofline chart: lines with their names, the region under DRAM, the ridge.
#pragma once

#include "app/window/charts/canvas.hpp"

namespace rooftile::window {

// The chart's heights are drawn in TFLOP/s, or in billions of instructions a second.
double plot_unit(const Chart& chart);

void draw_roofs(const Canvas& canvas);
// The roof under the pointer says where its number comes from; a click shows all that is known of it.
void take_roof_input(const Canvas& canvas, Actions& actions);

}  // namespace rooftile::window
