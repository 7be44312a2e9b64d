// The parts of the left column.
#pragma once

#include "app/window/kit/widgets.hpp"

namespace rooftile::window {

// The height of the whole list, at scale 1.
float kernel_list_height(const AppState& state);
// The part of the height that whole lines fill.
float whole_lines(float height);
// Scrolls where it is higher than so many pixels.
void draw_kernels(const AppState& state, float height, Actions& actions);
// One dial with its name above it; its track has this height.
void draw_dial(const AppState& state, const Dial& dial, float height, Actions& actions);
void draw_dials(const AppState& state, Actions& actions);  // of a program's kernel its shapes
void draw_shapes(const AppState& state, Actions& actions);

}  // namespace rooftile::window
