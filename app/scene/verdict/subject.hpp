// Everything the right column says about one point.
#pragma once

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

Subject subject(const AppState& state, const Point& point, const Roofs& roofs);

}  // namespace rooftile::scene
