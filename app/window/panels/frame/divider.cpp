#include "app/window/kit/marks.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/panels/panels.hpp"

namespace rooftile::window {
namespace {

float share_under_pointer(const Layout& layout) {
  const float space = layout.points.bottom() - layout.chart.y - layout.divider.height;
  return space > 0 ? (ImGui::GetIO().MousePos.y - layout.divider.height / 2 - layout.chart.y) / space : 0;
}

}  // namespace

void draw_divider(const AppState& state, const Layout& layout, Actions& actions) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  const PanelFrame frame("Divider", layout.divider, PanelFrame::Style::bare);
  ImGui::PopStyleVar();
  ImGui::InvisibleButton("divider", {layout.divider.width, layout.divider.height});
  if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
    actions.push_back(SetChartShare{share_under_pointer(layout)});
  }
  const bool held = ImGui::IsItemHovered() || ImGui::IsItemActive();
  if (held) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
  }
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    actions.push_back(SetChartShare{Settings().chart_share_above(state.view.lower)});
  }
  const ImVec2 centre{layout.divider.x + layout.divider.width / 2,
                      layout.divider.y + layout.divider.height / 2};
  const float half = px(state, 22);
  ImGui::GetWindowDrawList()->AddLine({centre.x - half, centre.y}, {centre.x + half, centre.y},
                                      ink(held ? colours(state).accent : colours(state).edge), px(state, 3));
}

}  // namespace rooftile::window
