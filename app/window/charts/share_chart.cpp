#include <implot.h>

#include <algorithm>
#include <cstdio>

#include "analysis/format.hpp"
#include "app/window/charts/canvas.hpp"
#include "app/window/charts/charts.hpp"
#include "app/window/kit/marks.hpp"

namespace rooftile::window {
namespace {

constexpr ImPlotFlags plot_flags = ImPlotFlags_CanvasOnly | ImPlotFlags_NoInputs;
constexpr double most_lines = 12;
constexpr float label_width = 190;

int percent_label(double value, char* out, int size, void*) {
  return std::snprintf(out, static_cast<std::size_t>(size), "%s", percent(value).c_str());
}

// The newest launch stands in the top line.
double line_of(const AppState& state, std::size_t index) {
  return 0.5 + static_cast<double>(state.shown.chart.rows.size()) - 1 - static_cast<double>(index);
}

double lines_shown(const AppState& state) {
  return std::clamp(static_cast<double>(state.shown.chart.rows.size()), 5.0, most_lines);
}

void set_up_axes(const AppState& state) {
  ImPlot::SetupAxis(ImAxis_X1, "Share of each level's roof");
  ImPlot::SetupAxis(ImAxis_Y1, nullptr, ImPlotAxisFlags_NoDecorations | ImPlotAxisFlags_Invert);
  ImPlot::SetupAxisLimits(ImAxis_X1, 0, 1.15, ImPlotCond_Always);
  ImPlot::SetupAxisLimits(ImAxis_Y1, 0, lines_shown(state), ImPlotCond_Always);
  ImPlot::SetupAxisFormat(ImAxis_X1, percent_label);
  ImPlot::SetupFinish();
}

void draw_roof(const Canvas& canvas) {
  const float x = ImPlot::PlotToPixels(1.0, 0.0).x;
  const Rgb colour = colours(canvas.state).compute;
  canvas.draw.AddLine({x, canvas.min.y}, {x, canvas.max.y}, ink(colour), px(canvas.state, 2));
  draw_text_along(canvas.draw, {x, canvas.max.y - px(canvas.state, 12)}, {x, canvas.min.y}, px(canvas.state, 4),
                  Type::small, ink(colour), "every level's own roof");
}

// A bar from zero to the level that is used most: what bounds the launch.
void draw_bar(const Canvas& canvas, const PlacedRow& placed) {
  if (placed.dots.empty()) {
    return;
  }
  const PlacedDot& widest =
      *std::ranges::max_element(placed.dots, {}, [](const PlacedDot& dot) { return dot.at.x; });
  const float half = px(canvas.state, placed.current ? 9 : 6);
  const float alpha =
      (placed.current ? 0.22f : 0.12f) * static_cast<float>(std::max(0.4, placed.row->freshness));
  canvas.draw.AddRectFilled({canvas.min.x, widest.at.y - half}, {widest.at.x, widest.at.y + half},
                            ink(colours(canvas.state).level(widest.dot->level), alpha), half,
                            ImDrawFlags_RoundCornersRight);
}

void draw_line_label(const Canvas& canvas, const PlacedRow& placed) {
  if (placed.dots.empty()) {
    return;
  }
  const Palette& token = colours(canvas.state);
  const float right = canvas.min.x - px(canvas.state, 12), y = placed.dots.front().at.y;
  draw_text_right(canvas.draw, {right, y - px(canvas.state, 17)},
                  placed.current ? Type::figure_strong : Type::figure_small,
                  ink(placed.current ? token.text : token.dim), placed.row->label);
  draw_text_right(canvas.draw, {right, y + px(canvas.state, 1)}, Type::figure_small, ink(token.dim),
                  placed.row->figure);
}

void draw_flags(const Canvas& canvas, const std::vector<PlacedRow>& rows) {
  const PlacedDot* dot = rows.empty() ? nullptr : rows.back().find(canvas.state.view.level);
  if (dot && dot->dot->share) {
    draw_flag(canvas, dot->at, std::string(title(dot->dot->level)),
              dot->dot->rate + "  " + percent(*dot->dot->share));
  }
}

void draw_contents(const AppState& state) {
  const ImVec2 at = ImPlot::GetPlotPos(), size = ImPlot::GetPlotSize();
  const Canvas canvas{state, *ImPlot::GetPlotDrawList(), at, {at.x + size.x, at.y + size.y}};
  const Placing placing = [&](const ChartRow&, const Dot& dot, std::size_t index) -> std::optional<ImVec2> {
    if (!dot.share || line_of(state, index) > lines_shown(state)) {
      return std::nullopt;
    }
    return ImPlot::PlotToPixels(*dot.share, line_of(state, index));
  };
  const auto rows = place_rows(state, placing);
  draw_roof(canvas);
  for (const PlacedRow& placed : rows) {
    draw_bar(canvas, placed);
    draw_line_label(canvas, placed);
  }
  ImPlot::PushPlotClipRect();
  draw_ghost(canvas, placing);
  draw_rows(canvas, rows);
  draw_flags(canvas, rows);
  ImPlot::PopPlotClipRect();
  if (ImPlot::IsPlotHovered()) {
    draw_dot_hint(canvas, rows);
  }
}

}  // namespace

void draw_share_chart(const AppState& state) {
  const ImVec2 space = ImGui::GetContentRegionAvail();
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + px(state, label_width));
  if (ImPlot::BeginPlot("shares", {space.x - px(state, label_width), space.y}, plot_flags)) {
    set_up_axes(state);
    draw_contents(state);
    ImPlot::EndPlot();
  }
}

}  // namespace rooftile::window
