// The parts of the lower panel; each begins on the line of its title.
#pragma once

#include "app/window/kit/widgets.hpp"

namespace rooftile::window {

void draw_tile(const AppState& state, Actions& actions);
void draw_memory(const AppState& state);
// The warp and the step of a picture. warps, steps: how many there are.
void draw_step_controls(const AppState& state, int warp, int warps, std::size_t step, std::size_t steps,
                        Actions& actions);
void draw_access(const AppState& state, const AccessView& view, Actions& actions);
void draw_times(const AppState& state);
void draw_curves(const AppState& state, Actions& actions);
void draw_map(const AppState& state, Actions& actions);
void draw_points(const AppState& state, Actions& actions);
void draw_roofs_table(const AppState& state, Actions& actions);
void draw_launch_form(const AppState& state, Actions& actions);
void draw_why(const AppState& state, Actions& actions);
void draw_source(const AppState& state, Actions& actions);

}  // namespace rooftile::window
