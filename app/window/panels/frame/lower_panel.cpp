// The panel below the chart, and the tabs that choose it. They stand at the bottom edge: there they stay in
// place when the divider moves.
#include "app/window/panels/panels.hpp"

namespace rooftile::window {
namespace {

constexpr float between_tabs = 6;

// Tabs stand closer where the line is short. A pressed tab brings back a panel that the divider hides.
void draw_tabs(const AppState& state, bool panel_shown, Actions& actions) {
  float wide = 0;
  for (const Panel panel : lower_tabs) {
    wide += is_offered(state, panel) ? chip_size(state, words_of(panel).title).x + px(state, between_tabs) : 0;
  }
  const float between = wide <= ImGui::GetContentRegionAvail().x ? px(state, between_tabs) : 0;
  for (const Panel panel : lower_tabs) {
    if (is_offered(state, panel)) {
      if (draw_tab(state, panel, panel_shown && state.view.lower == panel, actions) && !panel_shown) {
        actions.push_back(SetChartShare{Settings().chart_share_above(panel)});
      }
      ImGui::SameLine(0, between);
    }
  }
}

}  // namespace

void draw_lower_panel(const AppState& state, const Layout& layout, Actions& actions) {
  if (layout.points_shown) {
    const PanelFrame frame("Lower", layout.points);
    write(Type::heading, colours(state).text, words_of(state.view.lower).title);
    ImGui::SameLine(0, px(state, 16));  // the panel begins on the line of its title
    draw_content(state, state.view.lower, actions);
  }
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(px(state, 9), px(state, 4)));
  const PanelFrame frame("Tabs", layout.tabs, PanelFrame::Style::bare);
  ImGui::PopStyleVar();
  draw_tabs(state, layout.points_shown, actions);
}

}  // namespace rooftile::window
