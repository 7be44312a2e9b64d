// A presentation's line above the chart: what is shown and for how long; and its pointer, a red spot.
#include <fmt/format.h>

#include "app/window/kit/marks.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/panels/panels.hpp"

namespace rooftile::window {
namespace {

constexpr float spot = 7, glow = 16;

// "12:34"
std::string timer_text(const AppState& state) {
  const int seconds = seconds_presented(state, state.now);
  return fmt::format("{}:{:02}", seconds / 60, seconds % 60);
}

const char* origin(const AppState& state) {
  switch (mode(state)) {
    case Mode::live:
      return "measured now";
    case Mode::recorded:
      return "recorded";
    case Mode::predicted:
      break;
  }
  return "predicted";
}

void draw_laser(const AppState& state) {
  const ImVec2 at = ImGui::GetIO().MousePos;
  if (!state.view.presentation->laser || !ImGui::IsMousePosValid(&at)) {
    return;
  }
  ImGui::SetMouseCursor(ImGuiMouseCursor_None);
  ImDrawList& draw = *ImGui::GetForegroundDrawList();
  draw.AddCircleFilled(at, px(state, glow), ink(colours(state).bad, 0.3f));
  draw.AddCircleFilled(at, px(state, spot), ink(colours(state).bad));
}

}  // namespace

void draw_presentation(const AppState& state, const Rect& place) {
  const PanelFrame frame("Top", place, PanelFrame::Style::bare);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const std::string timer = timer_text(state);
  const float edge = px(state, 16), width = text_size(Type::title, timer).x;
  const float y = place.y + (place.height - text_size(Type::title, timer).y) / 2;
  const std::string what = fmt::format("{} on {}, {}{}", kernel(state).title, state.choice.gpu, origin(state),
                                       is_frozen(state) ? ", frozen: Z follows the dials" : "");
  draw_text(draw, {place.x + edge, y}, Type::title, ink(colours(state).text),
            elided(Type::title, what, place.width - width - 3 * edge));
  draw_text_right(draw, {place.right() - edge, y}, Type::title, ink(colours(state).dim), timer);
  draw_laser(state);
}

}  // namespace rooftile::window
