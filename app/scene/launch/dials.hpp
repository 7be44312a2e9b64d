// The dials of the chosen kernel: every value a slider offers, and why some cannot be taken now.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

std::vector<Dial> dials(const AppState& state);

// "Compiling takes 700 ms: each new value of a dial waits for it." Empty where the kernel compiles faster than
// a hand notices, and where nothing is compiled.
std::string compile_cost(const AppState& state);

// In a recording: the recorded place nearest to the dials at which this one has that value.
std::optional<Place> nearest_recorded(const AppState& state, const std::string& dial, double value);
// "padding of B 0 · size 1024": where a place differs from the dials.
std::string difference_text(const AppState& state, const Place& place);

}  // namespace rooftile::scene
