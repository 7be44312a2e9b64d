// One SM and the blocks that fit: now, and if a block took more or less.
#pragma once

#include <string>
#include <vector>

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// "40" threads or registers, "27.5 KiB" of shared memory.
std::string value_text(BlockResource resource, int value);

// "6 blocks" of one SM, "62 clusters" of the GPU.
std::string fit_text(BlockResource resource, int fit);

OccupancyView occupancy_view(const Point& point, const Occupancy& occupancy, const Gpu& gpu);

// One plot for each resource of a block, and one for the size of its cluster where that is known. The point is
// compiled.
std::vector<OccupancyPlot> occupancy_plots(const Point& point, const Gpu& chosen,
                                           const std::vector<const Gpu*>& others);

// The GPUs of the table whose curves stand beside the chosen GPU's.
std::vector<const Gpu*> compared_gpus(const AppState& state);

}  // namespace rooftile::scene
