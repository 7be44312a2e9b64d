// The kernels of a program that rooftile ran and counted. No file describes them, so they have neither dials
// nor a source nor a model; what was measured of them is shown as of any other kernel, all of one program
// together.
#pragma once

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

bool is_of_program(const Manifest& manifest);
// The launches of a program on the chosen GPU: the newest of each kernel and shape, ordered by time, the one
// that took most last. Without a kernel: of all kernels.
std::vector<const Point*> program_launches(const AppState& state, const std::string& kernel = "");

// The program of the command line has ended, and can run again.
bool may_run_program(const AppState& state);
// The launch that is shown, if the program can run again to have it captured; else null.
const Point* tunable_launch(const AppState& state);

}  // namespace rooftile::scene
