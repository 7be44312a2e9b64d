#include <implot.h>

#include <cmath>
#include <cstdio>

#include "analysis/format.hpp"
#include "app/window/charts.hpp"
#include "app/window/roofs_drawing.hpp"

namespace rooftile::window {
namespace {

constexpr ImPlotFlags plot_flags = ImPlotFlags_CanvasOnly;
constexpr ImPlotAxisFlags axis_flags = ImPlotAxisFlags_NoMenus | ImPlotAxisFlags_NoSideSwitch;

// "0.1", "1", "10"
int decade_label(double value, char* out, int size, void*) {
  return std::snprintf(out, static_cast<std::size_t>(size), "%s", number(value).c_str());
}

void set_up_axes(Axes& axes) {
  ImPlot::SetupAxis(ImAxis_X1, "Arithmetic intensity  [FLOP/byte]", axis_flags);
  ImPlot::SetupAxis(ImAxis_Y1, "Performance  [TFLOP/s]", axis_flags);
  for (const ImAxis axis : {ImAxis_X1, ImAxis_Y1}) {
    ImPlot::SetupAxisScale(axis, ImPlotScale_Log10);
    ImPlot::SetupAxisFormat(axis, decade_label);
    ImPlot::SetupAxisLimitsConstraints(axis, 1e-9, 1e12);
  }
  ImPlot::SetupAxisLinks(ImAxis_X1, &axes.x_min, &axes.x_max);
  ImPlot::SetupAxisLinks(ImAxis_Y1, &axes.y_min, &axes.y_max);
  ImPlot::SetupFinish();
}

std::optional<ImVec2> place_on_roofline(const ChartRow& row, const Dot& dot, std::size_t) {
  if (!row.performance || !dot.intensity) {
    return std::nullopt;
  }
  return ImPlot::PlotToPixels(*dot.intensity, *row.performance / plot_flops);
}

Axes in_plot_units(Axes axes) {
  axes.y_min /= plot_flops;
  axes.y_max /= plot_flops;
  return axes;
}

Axes in_flops(Axes axes) {
  axes.y_min *= plot_flops;
  axes.y_max *= plot_flops;
  return axes;
}

void draw_newest_flag(const Canvas& canvas, const std::vector<PlacedRow>& rows) {
  const PlacedDot* dot = rows.empty() ? nullptr : rows.back().find(canvas.state.view.level);
  if (dot) {
    draw_flag(canvas, dot->at, rows.back().row->label, rows.back().row->figure);
  }
}

// Nothing measured yet: the ghost carries the label.
void draw_ghost_flag(const Canvas& canvas) {
  const auto& ghost = canvas.state.shown.chart.ghost;
  const Dot* dot = ghost ? ghost->dot(canvas.state.view.level) : nullptr;
  const auto at = dot ? place_on_roofline(*ghost, *dot, 0) : std::nullopt;
  if (at) {
    draw_flag(canvas, *at, ghost->label, "predicted " + ghost->figure);
  }
}

void draw_contents(const AppState& state, Requests& requests) {
  const ImVec2 at = ImPlot::GetPlotPos(), size = ImPlot::GetPlotSize();
  const Canvas canvas{state, *ImPlot::GetPlotDrawList(), at, {at.x + size.x, at.y + size.y}};
  ImPlot::PushPlotClipRect();
  const auto rows = place_rows(state, place_on_roofline);
  draw_roofs(canvas);
  draw_trail(canvas, rows);
  draw_ghost(canvas, place_on_roofline);
  draw_rows(canvas, rows);
  draw_labels(canvas, rows);
  if (rows.empty()) {
    draw_ghost_flag(canvas);
  } else {
    draw_newest_flag(canvas, rows);
  }
  ImPlot::PopPlotClipRect();
  if (ImPlot::IsPlotHovered() && !draw_dot_hint(canvas, rows)) {
    take_roof_input(canvas, requests);
  }
}

}  // namespace

void draw_roofline_chart(const AppState& state, Requests& requests) {
  Axes axes = in_plot_units(state.view.axes);
  const Axes before = axes;
  if (!ImPlot::BeginPlot("roofline", ImGui::GetContentRegionAvail(), plot_flags)) {
    return;
  }
  set_up_axes(axes);
  draw_contents(state, requests);
  if (ImPlot::IsPlotHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    requests.push_back(Fit{});
  }
  ImPlot::EndPlot();
  if (axes != before) {
    requests.push_back(SetAxes{in_flops(axes)});
  }
}

}  // namespace rooftile::window
