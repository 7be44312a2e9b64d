// The charts of the middle panel: what the scene has laid out, with the pointer's part.
#pragma once

#include "app/scene/picture/chart_picture.hpp"
#include "app/window/kit/widgets.hpp"

namespace rooftile::window {

// Performance over intensity, log-log.
void draw_roofline_chart(const AppState& state, Actions& actions);
// For kernels without FLOPs: the share of each level's roof, one line per launch.
void draw_share_chart(const AppState& state, Actions& actions);

// The rectangle that is being drawn with Shift and the left button, begun in this place; finished: with this
// frame. It is shown.
struct DrawnRectangle {
  Rect place;
  bool finished = false;
};
std::optional<DrawnRectangle> rectangle_drawn(const AppState& state, const Rect& within);

// The rest of the panel, in the window's fonts and colours.
ChartFrame frame_here(const AppState& state);
ChartLook look_of(const AppState& state);
// The dot under the pointer says what it is. True if there is one.
bool take_dot_input(const AppState& state, const ChartPicture& picture, Actions& actions);

}  // namespace rooftile::window
