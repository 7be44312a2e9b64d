#include "app/window/panels.hpp"
#include "app/window/widgets.hpp"

namespace rooftile::window {

void draw_frame(const AppState& state, Requests& requests) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const Layout layout = arrange(size.x, size.y, state.settings.scale, state.settings.chart_share);
  ImGui::GetBackgroundDrawList()->AddRectFilled({0, 0}, size, ink(colours(state).background));
  draw_top_bar(state, layout.top, requests);
  draw_kernel_panel(state, layout.left, requests);
  if (layout.chart_shown) {
    draw_chart_panel(state, layout.chart, requests);
  }
  draw_divider(state, layout, requests);
  if (layout.points_shown) {
    draw_lower_panel(state, layout.points, requests);
  }
  draw_side_panel(state, layout, requests);
  draw_status_line(state, layout.status, requests);
  draw_keys(state, requests);
  collect_keys(state, requests);
}

}  // namespace rooftile::window
