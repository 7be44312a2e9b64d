// The panels of the window. Each reads the state and appends what the user asks for.
#pragma once

#include "app/window/layout.hpp"
#include "app/window/requests.hpp"

namespace rooftile::window {

void draw_top_bar(const AppState& state, const Rect& place, Requests& requests);
void draw_kernel_panel(const AppState& state, const Rect& place, Requests& requests);
void draw_chart_panel(const AppState& state, const Rect& place, Requests& requests);
void draw_divider(const AppState& state, const Layout& layout, Requests& requests);
void draw_lower_panel(const AppState& state, const Rect& place, Requests& requests);
void draw_side_panel(const AppState& state, const Layout& layout, Requests& requests);
void draw_status_line(const AppState& state, const Rect& place, Requests& requests);
void draw_keys(const AppState& state, Requests& requests);

// The whole window, of the size the display has.
void draw_frame(const AppState& state, Requests& requests);
// What was typed, unless a field takes it.
void collect_keys(const AppState& state, Requests& requests);

}  // namespace rooftile::window
