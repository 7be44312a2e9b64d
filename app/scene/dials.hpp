// The dials of the chosen kernel: every value a slider offers, and why some cannot be taken now.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/scene/app_state.hpp"

namespace rooftile::scene {

std::vector<Dial> dials(const AppState& state);

// In a recording: the recorded place nearest to the dials at which this one has that value.
std::optional<Place> nearest_recorded(const AppState& state, const std::string& dial, double value);
// "padding of B 0 · size 1024": where a place differs from the dials.
std::string difference_text(const AppState& state, const Place& place);

// Every legal setting of the kernel's dials at the chosen sizes; in a recording those that were recorded.
// None where there are too many of them.
std::vector<Configuration> sweep_configurations(const AppState& state);
std::optional<std::string> why_too_many_settings(const AppState& state);
// All that these settings depend on; the dials themselves are not among it.
std::string sweep_start(const AppState& state);

}  // namespace rooftile::scene
