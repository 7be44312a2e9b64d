// The kernels of a program that rooftile-cli profile ran. No file describes them, so they have neither dials
// nor a source nor a model; what was measured of them is shown as of any other kernel, all of one program
// together.
#pragma once

#include "app/scene/app_state.hpp"

namespace rooftile::scene {

bool is_of_program(const Manifest& manifest);
// Its kernel joins the catalogue, in a group of its own, where the point is of a program.
void list_program_kernel(AppState& state, const Point& point);
// Where the chosen kernel is of a program: visits all launches of it on the chosen GPU, and chooses the one
// that took most time altogether.
void visit_program(AppState& state);

}  // namespace rooftile::scene
