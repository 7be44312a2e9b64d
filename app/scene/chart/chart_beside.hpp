// Launches of another GPU, or of another session, beside those of the chosen one.
#pragma once

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// Adds to each row that stands out the launch at the same place of the dials there, and adds the legend.
void add_beside(Chart& chart, const AppState& state);

}  // namespace rooftile::scene
