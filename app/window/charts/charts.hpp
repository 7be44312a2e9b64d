// The two charts of the middle panel.
#pragma once

#include "app/window/kit/widgets.hpp"

namespace rooftile::window {

// Performance over intensity, log-log.
void draw_roofline_chart(const AppState& state, Actions& actions);
// Of kernels without FLOPs: the share of each level's roof, a line for each launch.
void draw_share_chart(const AppState& state);

}  // namespace rooftile::window
