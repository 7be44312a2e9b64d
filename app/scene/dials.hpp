// The dials of the chosen kernel: every value a slider offers, and why some cannot be taken now.
#pragma once

#include <vector>

#include "app/scene/app_state.hpp"

namespace rooftile::scene {

std::vector<Dial> dials(const AppState& state);

// Every legal setting of the kernel's dials at the chosen sizes; in a recording those that were recorded.
std::vector<Configuration> sweep_configurations(const AppState& state);

}  // namespace rooftile::scene
