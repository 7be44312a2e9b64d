#include <implot.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "analysis/format.hpp"
#include "app/window/charts/charts.hpp"
#include "app/window/charts/roofs_drawing.hpp"

namespace rooftile::window {
namespace {

constexpr ImPlotFlags plot_flags = ImPlotFlags_CanvasOnly;
constexpr ImPlotAxisFlags axis_flags = ImPlotAxisFlags_NoMenus | ImPlotAxisFlags_NoSideSwitch;

// "0.1", "1", "10"
int decade_label(double value, char* out, int size, void*) {
  return std::snprintf(out, static_cast<std::size_t>(size), "%s", number(value).c_str());
}

void set_up_axes(Axes& axes, ChartKind kind) {
  const bool flops = kind == ChartKind::roofline;
  ImPlot::SetupAxis(ImAxis_X1,
                    flops ? "Arithmetic intensity  [FLOP/byte]"
                          : "Instruction intensity  [warp instructions per 32-byte transaction]",
                    axis_flags);
  ImPlot::SetupAxis(ImAxis_Y1, flops ? "Performance  [TFLOP/s]" : "Warp instructions  [billions/s]",
                    axis_flags);
  for (const ImAxis axis : {ImAxis_X1, ImAxis_Y1}) {
    ImPlot::SetupAxisScale(axis, ImPlotScale_Log10);
    ImPlot::SetupAxisFormat(axis, decade_label);
    ImPlot::SetupAxisLimitsConstraints(axis, 1e-9, 1e12);
  }
  ImPlot::SetupAxisLinks(ImAxis_X1, &axes.x_min, &axes.x_max);
  ImPlot::SetupAxisLinks(ImAxis_Y1, &axes.y_min, &axes.y_max);
  ImPlot::SetupFinish();
}

Placing placing_of(const AppState& state) {
  const double unit = plot_unit(state.shown.chart);
  return [unit](const ChartRow& row, const Dot& dot, std::size_t) -> std::optional<ImVec2> {
    if (!row.performance || !dot.intensity) {
      return std::nullopt;
    }
    return ImPlot::PlotToPixels(*dot.intensity, *row.performance / unit);
  };
}

// y times the factor.
Axes stretched(Axes axes, double factor) {
  axes.y_min *= factor;
  axes.y_max *= factor;
  return axes;
}

// The plot without what lies above the compute roof, whose name stands there.
Canvas under_the_roof(Canvas canvas) {
  const Chart& chart = canvas.state.shown.chart;
  if (chart.peak > 0) {
    const float roof = ImPlot::PlotToPixels(1.0, chart.peak / plot_unit(chart)).y;
    canvas.min.y = std::clamp(roof, canvas.min.y, canvas.max.y);
  }
  return canvas;
}

void draw_newest_flag(const Canvas& canvas, const std::vector<PlacedRow>& rows) {
  const PlacedDot* dot = rows.empty() ? nullptr : rows.back().find(canvas.state.view.level);
  if (dot) {
    draw_flag(under_the_roof(canvas), dot->at, rows.back().row->label, rows.back().row->figure);
  }
}

// Nothing measured yet: the ghost carries the label.
void draw_ghost_flag(const Canvas& canvas) {
  const auto& ghost = canvas.state.shown.chart.ghost;
  const Dot* dot = ghost ? ghost->dot(canvas.state.view.level) : nullptr;
  const auto at = dot ? placing_of(canvas.state)(*ghost, *dot, 0) : std::nullopt;
  if (at) {
    draw_flag(under_the_roof(canvas), *at, ghost->label, "predicted " + ghost->figure);
  }
}

void draw_contents(const AppState& state, Actions& actions) {
  const ImVec2 at = ImPlot::GetPlotPos(), size = ImPlot::GetPlotSize();
  const Canvas canvas{state, *ImPlot::GetPlotDrawList(), at, {at.x + size.x, at.y + size.y}};
  ImPlot::PushPlotClipRect();
  const Placing placing = placing_of(state);
  const auto rows = place_rows(state, placing);
  draw_roofs(canvas);
  draw_trail(canvas, rows);
  draw_ghost(canvas, placing);
  draw_rows(canvas, rows);
  draw_labels(canvas, rows);
  if (rows.empty()) {
    draw_ghost_flag(canvas);
  } else {
    draw_newest_flag(canvas, rows);
  }
  ImPlot::PopPlotClipRect();
  if (ImPlot::IsPlotHovered() && !draw_dot_hint(canvas, rows)) {
    take_roof_input(canvas, actions);
  }
}

}  // namespace

void draw_roofline_chart(const AppState& state, Actions& actions) {
  const double unit = plot_unit(state.shown.chart);
  Axes axes = stretched(state.view.axes, 1 / unit);
  const Axes before = axes;
  if (!ImPlot::BeginPlot("roofline", ImGui::GetContentRegionAvail(), plot_flags)) {
    return;
  }
  set_up_axes(axes, state.shown.chart.kind);
  draw_contents(state, actions);
  if (ImPlot::IsPlotHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    actions.push_back(Fit{});
  }
  ImPlot::EndPlot();
  if (axes != before) {
    actions.push_back(SetAxes{stretched(axes, unit)});
  }
}

}  // namespace rooftile::window
