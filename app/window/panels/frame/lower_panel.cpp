// Below the chart: one panel of several, chosen by its tab.
#include "app/window/panels/panels.hpp"

namespace rooftile::window {
namespace {

constexpr float between_tabs = 6, room_for_content = 200;

// Tabs stand closer where the line is short, and the content begins below them where nothing is left of it.
void draw_tabs(const AppState& state, Actions& actions) {
  float wide = px(state, room_for_content);
  for (const Panel panel : lower_tabs) {
    wide += is_offered(state, panel) ? chip_size(state, words_of(panel).title).x + px(state, between_tabs) : 0;
  }
  const float between = wide <= ImGui::GetContentRegionAvail().x ? px(state, between_tabs) : 0;
  const float end = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
  for (const Panel panel : lower_tabs) {
    if (!is_offered(state, panel)) {
      continue;
    }
    if (chip(state, words_of(panel).title, colours(state).accent, state.view.lower == panel)) {
      actions.push_back(ShowPanel{panel});
    }
    ImGui::SameLine(0, between);
  }
  ImGui::SameLine(0, px(state, between > 0 ? 16 : 4));
  if (end - ImGui::GetCursorPosX() < px(state, room_for_content - 10)) {
    ImGui::NewLine();
  }
}

}  // namespace

void draw_lower_panel(const AppState& state, const Rect& place, Actions& actions) {
  const PanelFrame frame("Lower", place);
  draw_tabs(state, actions);
  draw_content(state, state.view.lower, actions);
}

}  // namespace rooftile::window
