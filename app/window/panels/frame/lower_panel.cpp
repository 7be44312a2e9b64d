// Below the chart: one panel of several, chosen by its tab.
#include "app/window/panels/panels.hpp"

namespace rooftile::window {
namespace {

void draw_tabs(const AppState& state, Actions& actions) {
  for (const Panel panel : lower_tabs) {
    if (!is_offered(state, panel)) {
      continue;
    }
    if (chip(state, words_of(panel).title, colours(state).accent, state.view.lower == panel)) {
      actions.push_back(ShowPanel{panel});
    }
    ImGui::SameLine(0, px(state, 6));
  }
  ImGui::SameLine(0, px(state, 16));
}

}  // namespace

void draw_lower_panel(const AppState& state, const Rect& place, Actions& actions) {
  const PanelFrame frame("Lower", place);
  draw_tabs(state, actions);
  draw_content(state, state.view.lower, actions);
}

}  // namespace rooftile::window
