// The kernels of a program that rooftile ran and counted. No file describes them, so they have neither dials
// nor a source nor a model; what was measured of them is shown as of any other kernel, all of one program
// together.
#pragma once

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

bool is_of_program(const Manifest& manifest);
// The kernel of a program's point joins the catalogue, in a group of its own. On which pipe a kernel without
// [work] computes is known once a launch of it is counted.
void learn_kernel(AppState& state, const Point& point);
// The launches of a program on the chosen GPU: the newest of each kernel and shape, ordered by time, the one
// that took most last. Without a kernel: of all kernels.
std::vector<const Point*> program_launches(const AppState& state, const std::string& kernel = "");
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
