// Follows a program while it runs: its kernels join the catalogue, its launches the trail.
#pragma once

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// The kernel of a program's point joins the catalogue, in a group of its own. On which pipe a kernel without
// [work] computes is known once a launch of it is counted.
void learn_kernel(AppState& state, const Point& point);
// If the chosen kernel is of a program: visits all its launches on the chosen GPU, and chooses the one that
// took most time altogether.
void visit_program(AppState& state);

// A program is about to run: until its first kernel comes, its name stands in the list and is chosen.
void await_program(AppState& state, const std::string& name);
// More of the program was recorded: new launches join the trail. The one that took most time so far is chosen,
// in axes that hold all launches, unless the user has gone elsewhere.
void follow_program(AppState& state);
// The program's name leaves the list, where it stood for kernels that have not come.
void forget_program(AppState& state);

}  // namespace rooftile::scene
