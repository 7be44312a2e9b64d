// Which two dials the map has.
#pragma once

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// The dials that a map of the chosen kernel has where the user has chosen none: down its first, across that
// of the others with the most values. `down` is empty where it has but one.
MapChoice map_choice(const AppState& state);

}  // namespace rooftile::scene
