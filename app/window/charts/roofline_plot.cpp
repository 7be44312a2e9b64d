#include <implot.h>

#include "app/window/charts/charts.hpp"
#include "app/window/charts/pen.hpp"

namespace rooftile::window {
namespace {

constexpr ImPlotFlags plot_flags = ImPlotFlags_CanvasOnly | ImPlotFlags_NoFrame;
constexpr ImPlotAxisFlags axis_flags =
    ImPlotAxisFlags_NoDecorations | ImPlotAxisFlags_NoMenus | ImPlotAxisFlags_NoSideSwitch;
constexpr double smallest = 1e-9, largest = 1e24;  // that can be zoomed to

// The plot pans where it is dragged and zooms where the wheel turns; the scene draws it.
void set_up_axes(Axes& axes) {
  for (const ImAxis axis : {ImAxis_X1, ImAxis_Y1}) {
    ImPlot::SetupAxis(axis, nullptr, axis_flags);
    ImPlot::SetupAxisScale(axis, ImPlotScale_Log10);
    ImPlot::SetupAxisLimitsConstraints(axis, smallest, largest);
  }
  ImPlot::SetupAxisLinks(ImAxis_X1, &axes.x_min, &axes.x_max);
  ImPlot::SetupAxisLinks(ImAxis_Y1, &axes.y_min, &axes.y_max);
  ImPlot::SetupFinish();
}

// The roof under the pointer says where its number comes from; a click shows all that is known of it.
void take_roof_input(const AppState& state, const ChartPicture& picture, Actions& actions) {
  const ImVec2 pointer = ImGui::GetIO().MousePos;
  const PlacedRoof* placed = roof_at(picture, {pointer.x, pointer.y}, px(state, 5));
  if (!placed) {
    return;
  }
  const RoofLine& roof = state.derived.shown.chart.roofs[placed->roof];
  hint(state, roof.facts);
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    actions.push_back(SelectRoof{roof.name});
  }
}

void take_input(const AppState& state, const ChartPicture& picture, Actions& actions) {
  if (ImGui::GetIO().KeyShift) {
    return;
  }
  if (!take_dot_input(state, picture, actions)) {
    take_roof_input(state, picture, actions);
  }
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    actions.push_back(Fit{});
  }
}

}  // namespace

void draw_roofline_chart(const AppState& state, Actions& actions) {
  const ChartPicture picture =
      roofline_picture(state.derived.shown.chart, state.view.axes, look_of(state), frame_here(state));
  draw(*ImGui::GetWindowDrawList(), picture.around);
  ImGui::SetCursorScreenPos({picture.plot.x, picture.plot.y});
  if (!ImPlot::BeginPlot("roofline", {picture.plot.width, picture.plot.height}, plot_flags)) {
    return;
  }
  Axes axes = state.view.axes;
  set_up_axes(axes);
  ImPlot::PushPlotClipRect();
  draw(*ImPlot::GetPlotDrawList(), picture.inside);
  ImPlot::PopPlotClipRect();
  if (ImPlot::IsPlotHovered()) {
    take_input(state, picture, actions);
  }
  const auto drawn = rectangle_drawn(state, picture.plot);
  if (drawn && drawn->finished) {
    actions.push_back(SelectLaunches{launches_in(picture, drawn->place, state.view.level)});
  }
  ImPlot::EndPlot();
  if (axes != state.view.axes && !drawn) {
    actions.push_back(SetAxes{axes});
  }
}

}  // namespace rooftile::window
