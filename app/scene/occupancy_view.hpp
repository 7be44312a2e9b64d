// What is shown of one SM and the blocks that fit: now, and if a block took more or less.
#pragma once

#include <vector>

#include "app/scene/app_state.hpp"

namespace rooftile::scene {

OccupancyView occupancy_view(const Point& point, const Occupancy& occupancy, const SmLimits& sm);

// One plot for each resource of a block. The point is compiled.
std::vector<OccupancyPlot> occupancy_plots(const Point& point, const Gpu& chosen,
                                           const std::vector<const Gpu*>& others);

// Those whose curves stand beside the chosen one's, of the table.
std::vector<const Gpu*> compared_gpus(const AppState& state);

}  // namespace rooftile::scene
