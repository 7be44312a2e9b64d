// The figures that the questions of a lesson are judged by: those of the launch that the window shows.
#pragma once

#include <string>
#include <vector>

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// The names that an expression may use beside the kernel's parameters: the columns of the CSV, and
//   best_time_s           [s] of the fastest launch at these sizes and caches
//   bank_wavefronts       of the access whose banks are shown, for the first warp of a block
//   warp_sectors          of the access whose sectors are shown, likewise
std::vector<std::string> lesson_figure_names();
// The names of what is known of a cell that was clicked on: assets/lessons.md.
std::vector<std::string> picked_figure_names();

// The figures that are known here, and the dials.
Parameters lesson_figures(const AppState& state);

}  // namespace rooftile::scene
