// The panel that the rail has opened: it covers the chart, and goes by the same press, its cross or Escape.
#include "app/window/kit/marks.hpp"
#include "app/window/panels/panels.hpp"

namespace rooftile::window {
namespace {

// In the corner, without taking a line.
void draw_close(const AppState& state, const Rect& place, Actions& actions) {
  const ImVec2 before = ImGui::GetCursorScreenPos();
  const float side = px(state, 26);
  const ImVec2 at{place.right() - side - px(state, 6), place.y + px(state, 6)};
  ImGui::SetCursorScreenPos(at);
  if (ImGui::InvisibleButton("close", {side, side})) {
    actions.push_back(CloseDrawer{});
  }
  const Rgb colour = ImGui::IsItemHovered() ? colours(state).text : colours(state).dim;
  draw_cross(*ImGui::GetWindowDrawList(), {at.x + side / 2, at.y + side / 2}, px(state, 13), ink(colour));
  ImGui::SetCursorScreenPos(before);
}

}  // namespace

void draw_drawer(const AppState& state, const Layout& layout, Actions& actions) {
  if (!state.view.drawer) {
    return;
  }
  const Panel panel = *state.view.drawer;
  const bool is_wide = is_one_of(lower_tabs, panel);
  const Rect& place = is_wide ? layout.wide_drawer : layout.drawer;
  const PanelFrame frame("Drawer", place, PanelFrame::Style::floating);
  draw_close(state, place, actions);
  write(Type::heading, colours(state).text, words_of(panel).title);
  if (is_wide) {
    ImGui::SameLine(0, px(state, 16));  // these begin on the line of their title
  } else {
    gap(state, 2);
  }
  draw_content(state, panel, actions);
}

}  // namespace rooftile::window
