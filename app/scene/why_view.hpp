// Why the current launch takes another time than the one visited before: a waterfall.
#pragma once

#include "analysis/explanation.hpp"
#include "app/scene/app_state.hpp"

namespace rooftile::scene {

// Empty where there is no launch before of the same kernel on the same GPU.
std::optional<WhyView> why_view(const AppState& state, const Point& point, const Roofs& roofs);
// Each bar begins where the one above it ends.
WhyView waterfall(const Explanation& explanation);

}  // namespace rooftile::scene
