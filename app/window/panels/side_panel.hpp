// The three parts of the right column.
#pragma once

#include "app/window/kit/widgets.hpp"

namespace rooftile::window {

void draw_verdict(const AppState& state, const Subject& subject);
void draw_occupancy(const AppState& state, const Subject& subject);
void draw_proof(const AppState& state, const Subject& subject);

}  // namespace rooftile::window
