// The parts of the lower panel; each begins on the line of its tabs.
#pragma once

#include "app/window/widgets.hpp"

namespace rooftile::window {

void draw_points(const AppState& state, Requests& requests);
void draw_roofs_table(const AppState& state, Requests& requests);
void draw_source(const AppState& state, Requests& requests);

}  // namespace rooftile::window
