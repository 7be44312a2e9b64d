// Below the chart: the points, the source of the current one line by line, or the roofs.
#include "app/window/lower_panel.hpp"

#include "app/window/panels.hpp"

namespace rooftile::window {
namespace {

constexpr std::pair<LowerPanel, const char*> tabs[] = {
    {LowerPanel::points, "Points"}, {LowerPanel::source, "Source"}, {LowerPanel::roofs, "Roofs"}};

void draw_tabs(const AppState& state, Requests& requests) {
  for (const auto& [panel, name] : tabs) {
    if (chip(state, name, colours(state).accent, state.view.lower == panel)) {
      requests.push_back(SelectLower{panel});
    }
    ImGui::SameLine(0, px(state, 6));
  }
  ImGui::SameLine(0, px(state, 16));
}

}  // namespace

void draw_lower_panel(const AppState& state, const Rect& place, Requests& requests) {
  const Panel panel("Lower", place);
  draw_tabs(state, requests);
  switch (state.view.lower) {
    case LowerPanel::points:
      return draw_points(state, requests);
    case LowerPanel::source:
      return draw_source(state, requests);
    case LowerPanel::roofs:
      return draw_roofs_table(state, requests);
  }
}

}  // namespace rooftile::window
