#include "app/window/charts/charts.hpp"
#include "app/window/charts/pen.hpp"

namespace rooftile::window {

void draw_share_chart(const AppState& state, Actions& actions) {
  const ChartFrame frame = frame_here(state);
  const ChartPicture picture = share_picture(state.derived.shown.chart, look_of(state), frame);
  ImGui::Dummy({frame.place.width, frame.place.height});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  draw(list, picture.around);
  const Rect& plot = picture.plot;
  list.PushClipRect({plot.x, plot.y}, {plot.right(), plot.bottom()}, true);
  draw(list, picture.inside);
  list.PopClipRect();
  if (ImGui::IsItemHovered()) {
    take_dot_input(state, picture, actions);
  }
}

}  // namespace rooftile::window
