// Turns the dials: to another GPU, kernel, value or launch. Each function says what is launched there.
#pragma once

#include <cstdint>
#include <string>

#include "app/scene/actions/requests.hpp"
#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// If the GPU stood beside the chosen one, the two change places.
Requests select_gpu(AppState& state, const std::string& name);
Requests select_kernel(AppState& state, const std::string& name);
// A value that is not legal beside the others changes nothing; a message says why.
Requests set_parameter(AppState& state, const std::string& name, double value);
// Moves by so many legal values, or to the first or last one. Skips values that cannot be taken now.
Requests step_parameter(AppState& state, const std::string& name, int step);
Requests to_end_of_dial(AppState& state, const std::string& name, bool last);
// The parameter moves with others again.
Requests follow_again(AppState& state, const std::string& name);
Requests set_caches(AppState& state, Caches caches);
Requests go_to(AppState& state, const Place& place);
Requests follow_advice(AppState& state);
// The dials go to where this point was launched; nothing is launched where it is of the chosen GPU.
Requests go_to_launch(AppState& state, std::uint64_t id);
// A program's kernel has no dials: its shapes take their place.
Requests step_shape(AppState& state, int step);

// Asks for the dialled place, measured already or not. Asks for nothing in a recording, nor for a place that is
// not legal.
Requests measure_here(const AppState& state);
// The new launch is the current one.
Requests measure_again(AppState& state);

// Fits the axes to all launches; the dials stay.
void fit_axes(AppState& state);
// Launches of this GPU stand beside those of the chosen one; empty: none.
void compare_with(AppState& state, const std::string& gpu);

}  // namespace rooftile::scene
