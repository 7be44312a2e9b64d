// The kernels of a program as the list shows them, by the time that the program spent in them, and the shapes
// that one of them was launched in.
#pragma once

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// Their figures are shares of the time of all kernels of the program on the chosen GPU. The one that took most
// time first.
std::vector<KernelRow> program_rows(const AppState& state);

// Of the chosen kernel, those that took most time first; none of a kernel that is of no program.
std::vector<ShapeRow> shape_rows(const AppState& state);

}  // namespace rooftile::scene
