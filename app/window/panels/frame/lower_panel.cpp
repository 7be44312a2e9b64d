// Below the chart: the points, the map of two dials, why the time moved, the source of the current one line by
// line, the roofs, the occupancy, or how a kernel of the user's own is launched.
#include "app/window/panels/lower_panel.hpp"

#include "app/window/panels/panels.hpp"

namespace rooftile::window {
namespace {

constexpr std::pair<LowerPanel, const char*> tabs[] = {
    {LowerPanel::points, "Points"}, {LowerPanel::map, "Map"},     {LowerPanel::why, "Why"},
    {LowerPanel::source, "Source"}, {LowerPanel::roofs, "Roofs"}, {LowerPanel::occupancy, "Occupancy"},
    {LowerPanel::launch, "Launch"}};

void draw_tabs(const AppState& state, Actions& actions) {
  for (const auto& [panel, name] : tabs) {
    if (panel == LowerPanel::launch && !state.derived.shown.has_launch_form) {
      continue;
    }
    if (chip(state, name, colours(state).accent, state.view.lower == panel)) {
      actions.push_back(SelectLower{panel});
    }
    ImGui::SameLine(0, px(state, 6));
  }
  ImGui::SameLine(0, px(state, 16));
}

}  // namespace

void draw_lower_panel(const AppState& state, const Rect& place, Actions& actions) {
  const Panel panel("Lower", place);
  draw_tabs(state, actions);
  switch (state.view.lower) {
    case LowerPanel::points:
      return draw_points(state, actions);
    case LowerPanel::map:
      return draw_map(state, actions);
    case LowerPanel::why:
      return draw_why(state);
    case LowerPanel::source:
      return draw_source(state, actions);
    case LowerPanel::roofs:
      return draw_roofs_table(state, actions);
    case LowerPanel::occupancy:
      return draw_curves(state, actions);
    case LowerPanel::launch:
      return draw_launch_form(state, actions);
  }
}

}  // namespace rooftile::window
