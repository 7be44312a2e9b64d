// The parts of the right column.
#pragma once

#include "app/window/kit/widgets.hpp"

namespace rooftile::window {

void draw_verdict(const AppState& state, const Subject& subject);
// The advised change, with a button that makes it, and the outcome of the last one.
void draw_advice(const AppState& state, const Subject& subject, Actions& actions);
void draw_occupancy(const AppState& state, const Subject& subject);
void draw_proof(const AppState& state, const Subject& subject);

}  // namespace rooftile::window
