#include "app/window/charts/roofs_drawing.hpp"

#include <implot.h>

#include <algorithm>
#include <cmath>

#include "app/window/kit/marks.hpp"

namespace rooftile::window {
namespace {

struct Segment {
  ImVec2 from, to;
};

// From the chart's left edge up to the compute roof; a compute roof from the first ridge to the right edge.
Segment segment(const AppState& state, const RoofLine& roof) {
  const double unit = plot_unit(state.shown.chart);
  const Axes& axes = state.view.axes;
  const Chart& chart = state.shown.chart;
  if (roof.level) {
    const double ridge = chart.peak > 0 ? chart.peak / roof.height : axes.x_max;
    const double start = std::min(axes.x_min, ridge);
    return {ImPlot::PlotToPixels(start, roof.height * start / unit),
            ImPlot::PlotToPixels(ridge, roof.height * ridge / unit)};
  }
  double first_ridge = axes.x_max;
  for (const RoofLine& memory : chart.roofs) {
    if (memory.level) {
      first_ridge = std::min(first_ridge, roof.height / memory.height);
    }
  }
  return {ImPlot::PlotToPixels(first_ridge, roof.height / unit),
          ImPlot::PlotToPixels(std::max(axes.x_max, first_ridge), roof.height / unit)};
}

Rgb roof_colour(const AppState& state, const RoofLine& roof) {
  return roof.level ? colours(state).level(*roof.level) : colours(state).compute;
}

// The shade under the DRAM roof left of the ridge: where DRAM is the bound.
void draw_region(const Canvas& canvas, const RoofLine& roof) {
  const auto [from, to] = segment(canvas.state, roof);
  const float floor = canvas.max.y;
  canvas.draw.AddQuadFilled({from.x, std::max(from.y, floor)}, from, to, {to.x, floor},
                            ink(roof_colour(canvas.state, roof), 0.07f));
}

void draw_ridge(const Canvas& canvas) {
  const Chart& chart = canvas.state.shown.chart;
  if (!chart.ridge) {
    return;
  }
  const ImVec2 top = ImPlot::PlotToPixels(*chart.ridge, chart.peak / plot_unit(chart));
  draw_dashed_line(canvas.draw, top, {top.x, canvas.max.y}, ink(colours(canvas.state).dim, 0.8f),
                   px(canvas.state, 3));
  draw_text(canvas.draw, {top.x + px(canvas.state, 7), canvas.max.y - px(canvas.state, 22)}, Type::figure_small,
            ink(colours(canvas.state).dim), chart.ridge_label);
}

// Where the line enters the plot: at its left edge or its floor.
ImVec2 entry(const Canvas& canvas, const Segment& line) {
  const float slope = (line.to.y - line.from.y) / std::max(1.0f, line.to.x - line.from.x);
  float x = std::max(canvas.min.x, line.from.x);
  float y = line.from.y + (x - line.from.x) * slope;
  if (y > canvas.max.y && slope < 0) {
    x += (canvas.max.y - y) / slope;
    y = canvas.max.y;
  }
  return {x, y};
}

// Roofs this near run on one line: their labels stand behind each other, and both colours show in dashes.
constexpr double same_line = 1.12;

const RoofLine* roof_beneath(const AppState& state, const RoofLine& roof) {
  for (const RoofLine& other : state.shown.chart.roofs) {
    const double ratio = other.height / roof.height;
    if (&other == &roof) {
      break;
    }
    if (other.level && roof.level && ratio < same_line && ratio > 1 / same_line) {
      return &other;
    }
  }
  return nullptr;
}

float label_start(const Canvas& canvas, const RoofLine& roof) {
  const RoofLine* beneath = roof_beneath(canvas.state, roof);
  const float first = px(canvas.state, 22);
  return beneath ? first + text_size(Type::small, beneath->label).x + px(canvas.state, 16) : first;
}

void draw_memory_label(const Canvas& canvas, const RoofLine& roof, const Segment& line) {
  const ImVec2 start = entry(canvas, line);
  const float length = std::hypot(line.to.x - start.x, line.to.y - start.y);
  const float shift = label_start(canvas, roof) / std::max(1.0f, length);
  const ImVec2 from{start.x + (line.to.x - start.x) * shift, start.y + (line.to.y - start.y) * shift};
  const Rgb colour = words(canvas.state, roof_colour(canvas.state, roof));
  draw_text_along(canvas.draw, from, line.to, px(canvas.state, 4), Type::small, ink(colour), roof.label);
}

void draw_compute_label(const Canvas& canvas, const RoofLine& roof, const Segment& line) {
  const float right = std::min(canvas.max.x, line.to.x) - px(canvas.state, 12);
  draw_text_right(canvas.draw, {right, line.from.y - px(canvas.state, 21)}, Type::small,
                  ink(roof_colour(canvas.state, roof)), roof.label);
}

void draw_roof(const Canvas& canvas, const RoofLine& roof) {
  const Segment line = segment(canvas.state, roof);
  const ImU32 colour = ink(roof_colour(canvas.state, roof));
  if (roof_beneath(canvas.state, roof)) {
    draw_dashed_line(canvas.draw, line.from, line.to, colour, px(canvas.state, 9), px(canvas.state, 2));
  } else {
    canvas.draw.AddLine(line.from, line.to, colour, px(canvas.state, 2));
  }
  if (roof.level) {
    draw_memory_label(canvas, roof, line);
  } else {
    draw_compute_label(canvas, roof, line);
  }
}

float distance_to(const Segment& line, ImVec2 point) {
  const ImVec2 along{line.to.x - line.from.x, line.to.y - line.from.y};
  const float square = along.x * along.x + along.y * along.y;
  const float place =
      square > 0 ? ((point.x - line.from.x) * along.x + (point.y - line.from.y) * along.y) / square : 0;
  const float t = std::clamp(place, 0.0f, 1.0f);
  return std::hypot(point.x - line.from.x - along.x * t, point.y - line.from.y - along.y * t);
}

}  // namespace

double plot_unit(const Chart& chart) {
  return chart.kind == ChartKind::instructions ? 1e9 : 1e12;
}

void draw_roofs(const Canvas& canvas) {
  const auto& roofs = canvas.state.shown.chart.roofs;
  for (const RoofLine& roof : roofs) {
    if (roof.level == MemoryLevel::dram) {
      draw_region(canvas, roof);
    }
  }
  draw_ridge(canvas);
  for (const RoofLine& roof : roofs) {
    draw_roof(canvas, roof);
  }
}

void take_roof_input(const Canvas& canvas, Actions& actions) {
  const ImVec2 pointer = ImGui::GetIO().MousePos;
  for (const RoofLine& roof : canvas.state.shown.chart.roofs) {
    if (distance_to(segment(canvas.state, roof), pointer) < px(canvas.state, 5)) {
      hint(canvas.state, roof.facts);
      if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
        actions.push_back(SelectRoof{roof.name});
      }
      return;
    }
  }
}

}  // namespace rooftile::window
