// The kernels of a program as the list shows them, by the time that the program spent in them, and the shapes
// that one of them was launched in.
#pragma once

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// Their figures are shares of the time of all kernels of the program on the chosen GPU. The kernel that took
// most time is first.
std::vector<KernelRow> program_rows(const AppState& state);

// The shapes of the chosen kernel, the one that took most time first; none if the kernel is of no program.
std::vector<ShapeRow> shape_rows(const AppState& state);

}  // namespace rooftile::scene
