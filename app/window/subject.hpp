// Everything the right column says about one point.
#pragma once

#include "app/window/app_state.hpp"

namespace rooftile::window {

Subject subject(const AppState& state, const Point& point, const Roofs& roofs);

}  // namespace rooftile::window
