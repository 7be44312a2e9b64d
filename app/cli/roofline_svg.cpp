#include "app/cli/roofline_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/format.hpp"
#include "app/cli/log_axes.hpp"

namespace rooftile::cli {
namespace {

constexpr double margin = 20;
constexpr double chart_width = 900, chart_height = 640, side_width = 320;
constexpr const char* page = "#f5f6f8";
constexpr const char* panel = "#ffffff";
constexpr const char* edge = "#dde1e7";
constexpr const char* words = "#1a2029";
constexpr const char* dim = "#5a6573";
constexpr const char* compute_colour = "#39424e";
constexpr const char* bad = "#c0292e";

std::string colour(MemoryLevel level) {
  switch (level) {
    case MemoryLevel::dram:
      return "#0072b2";
    case MemoryLevel::l2:
      return "#00806a";
    case MemoryLevel::l1:
      return "#8a4fa0";
    case MemoryLevel::shared:
      break;
  }
  return "#b86e00";
}

// The roofs drawn: the best evidence for each level, and the FP32 peak.
struct DrawnRoofs {
  std::vector<const MemoryRoof*> memory;
  const ComputeRoof* compute = nullptr;
};

DrawnRoofs drawn(const Roofs& roofs) {
  DrawnRoofs all;
  for (const auto level : memory_levels) {
    if (const auto* roof = roofs.find(level)) {
      all.memory.push_back(roof);
    }
  }
  all.compute = roofs.find(fp32_pipe);
  return all;
}

double ridge(const MemoryRoof& roof, const ComputeRoof& compute) {
  return ridge_point(roof.bandwidth, compute.peak).value;
}

// Room for every dot and every ridge, and half a decade around them.
LogAxes axes_for(const Report& report, const DrawnRoofs& roofs) {
  const double peak = roofs.compute->peak.value;
  LogAxes axes{
      {0.1, 100}, {peak / 1e3, peak}, {margin + 92, margin + 70}, chart_width - 122, chart_height - 140};
  for (const auto* roof : roofs.memory) {
    axes.x.include(ridge(*roof, *roofs.compute));
  }
  for (const auto& found : report.all) {
    for (const auto& use : found.placement->levels) {
      if (use.intensity && found.placement->performance) {
        axes.x.include(use.intensity->value);
        axes.y.include(found.placement->performance->value);
      }
    }
  }
  axes.x = {axes.x.low / 3, axes.x.high * 3};
  axes.y = {axes.y.low / 2, axes.y.high * 3};
  return axes;
}

void draw_grid(Svg& svg, const LogAxes& axes) {
  for (const double x : between_decades(axes.x)) {
    svg.line({axes.at(x, 1).x, axes.top()}, {axes.at(x, 1).x, axes.bottom()}, {"#f0f2f5"});
  }
  for (const double y : between_decades(axes.y)) {
    svg.line({axes.left(), axes.at(1, y).y}, {axes.right(), axes.at(1, y).y}, {"#f0f2f5"});
  }
  for (const double x : decades(axes.x)) {
    const double at = axes.at(x, 1).x;
    svg.line({at, axes.top()}, {at, axes.bottom()}, {edge});
    svg.text({at, axes.bottom() + 20}, number(x), {dim, 13, false, false, 'm'});
  }
  for (const double y : decades(axes.y)) {
    const double at = axes.at(1, y).y;
    svg.line({axes.left(), at}, {axes.right(), at}, {edge});
    svg.text({axes.left() - 8, at + 4}, text(FlopsPerSecond{y}), {dim, 12, false, false, 'e'});
  }
  svg.text({(axes.left() + axes.right()) / 2, axes.bottom() + 44}, "Arithmetic intensity  [FLOP/B]",
           {dim, 13, false, false, 'm'});
}

// Where a memory roof enters the plot: at the left edge, or at the bottom.
double roof_start(const MemoryRoof& roof, const LogAxes& axes) {
  return std::max(axes.x.low, axes.y.low / roof.bandwidth.value);
}

void draw_memory_roof(Svg& svg, const LogAxes& axes, const MemoryRoof& roof, double peak) {
  const double start = roof_start(roof, axes);
  const double end = peak / roof.bandwidth.value;
  svg.line(axes.at(start, start * roof.bandwidth.value), axes.at(end, peak), {colour(roof.level), 2});
  const double label = start * std::pow(end / start, 0.06);
  Spot at = axes.at(label, label * roof.bandwidth.value);
  at.x -= 5;
  at.y -= 6;
  svg.text(at, fmt::format("{}  {}", title(roof.level), text(roof.bandwidth)),
           {colour(roof.level), 13, false, false, 's', axes.slope_degrees()});
}

void draw_dram_region(Svg& svg, const LogAxes& axes, const MemoryRoof& dram, double peak) {
  const double start = roof_start(dram, axes);
  const double end = peak / dram.bandwidth.value;
  const Spot foot = {axes.at(end, peak).x, axes.bottom()};
  svg.polygon({axes.at(start, start * dram.bandwidth.value),
               axes.at(end, peak),
               foot,
               {axes.at(start, peak).x, axes.bottom()}},
              colour(MemoryLevel::dram), 0.06);
  svg.line(axes.at(end, peak), foot, {dim, 1, "2 4"});
  svg.text({foot.x + 6, foot.y - 8}, "ridge " + text(FlopsPerByte{end}), {dim, 12, false, true});
}

void draw_roofs(Svg& svg, const LogAxes& axes, const DrawnRoofs& roofs) {
  const double peak = roofs.compute->peak.value;
  double first_ridge = axes.x.high;
  for (const auto* roof : roofs.memory) {
    if (roof->level == MemoryLevel::dram) {
      draw_dram_region(svg, axes, *roof, peak);
    }
    draw_memory_roof(svg, axes, *roof, peak);
    first_ridge = std::min(first_ridge, ridge(*roof, *roofs.compute));
  }
  svg.line(axes.at(first_ridge, peak), axes.at(axes.x.high, peak), {compute_colour, 2});
  svg.text(
      {axes.right() - 6, axes.at(1, peak).y - 8},
      fmt::format("{}  {}, {}", roofs.compute->pipe, text(roofs.compute->peak), key(roofs.compute->origin)),
      {compute_colour, 13, false, false, 'e'});
}

std::string about(const Findings& found, const LevelUse& use) {
  return fmt::format("{} {}\n{} in {}, {} {} at {} {}", found.point.kernel, text(found.point.parameters),
                     text_or_dash(found.placement->performance), text(found.placement->time), text(use.bytes),
                     use.counted ? "counted" : "modelled", title(use.level),
                     use.share ? percent(*use.share) + " of its roof" : "");
}

// Filled: counted. Hollow: modelled. A red ring: above its roof.
void draw_dot(Svg& svg, const LogAxes& axes, const Findings& found, const LevelUse& use, double radius,
              double opacity) {
  const Spot at = axes.at(use.intensity->value, found.placement->performance->value);
  const std::string level = colour(use.level);
  svg.dot(at, radius, use.counted ? level : panel, opacity, Pen{level, 1.5}, about(found, use));
  if (use.above_roof) {
    svg.dot(at, radius + 4, "none", 1, Pen{bad, 2}, "above its roof");
  }
}

void draw_faint(Svg& svg, const LogAxes& axes, const Findings& found) {
  const LevelUse* dram = found.placement->level(MemoryLevel::dram);
  if (dram != nullptr && dram->intensity && found.placement->performance) {
    draw_dot(svg, axes, found, *dram, 2.5, 0.35);
  }
}

void draw_best(Svg& svg, const LogAxes& axes, const Findings& found) {
  std::vector<Spot> row;
  for (const auto& use : found.placement->levels) {
    if (use.intensity && found.placement->performance) {
      row.push_back(axes.at(use.intensity->value, found.placement->performance->value));
    }
  }
  if (row.empty()) {
    return;
  }
  std::ranges::sort(row, {}, &Spot::x);
  svg.path(row, {dim, 1, "4 4"});
  for (const auto& use : found.placement->levels) {
    if (use.intensity) {
      draw_dot(svg, axes, found, use, 6, 1);
    }
  }
  svg.text({row.back().x + 6, row.back().y - 12}, found.name + "  " + text(*found.placement->performance),
           {words, 12, true, true, 'e'});
}

void draw_bar(Svg& svg, Spot at, double width, const LevelUse& use) {
  svg.text({at.x, at.y}, std::string(title(use.level)), {dim, 12});
  svg.text({at.x + width, at.y},
           fmt::format("{}   {}", text(use.bandwidth), use.share ? percent(*use.share) : unknown_text),
           {dim, 12, false, true, 'e'});
  svg.box({at.x, at.y + 5}, width, 5, 2, edge);
  svg.box({at.x, at.y + 5}, width * std::min(1.0, use.share.value_or(0)), 5, 2, colour(use.level));
}

// The best of one kernel in words: what bounds it, and how much of each roof it uses. Returns where it ends.
double draw_side(Svg& svg, Spot at, double width, const Findings& found) {
  svg.text(at, found.name, {words, 13, true});
  svg.text({at.x, at.y + 18}, found.verdict->title, {dim, 12});
  at.y += 42;
  for (const auto& use : found.placement->levels) {
    draw_bar(svg, at, width, use);
    at.y += 26;
  }
  return at.y + 16;
}

void draw_chart(Svg& svg, const Report& report) {
  const DrawnRoofs roofs = drawn(report.roofs);
  if (roofs.compute == nullptr) {
    svg.text({margin * 2, margin + 80}, "This session has no compute roof to draw.", {dim, 13});
    return;
  }
  const LogAxes axes = axes_for(report, roofs);
  draw_grid(svg, axes);
  draw_roofs(svg, axes, roofs);
  for (const auto& found : report.all) {
    draw_faint(svg, axes, found);
  }
  for (const auto& found : report.best) {
    draw_best(svg, axes, found);
  }
}

}  // namespace

Svg roofline_svg(const Report& report) {
  Svg svg(chart_width + side_width + 3 * margin, chart_height + 2 * margin);
  svg.box({0, 0}, chart_width + side_width + 3 * margin, chart_height + 2 * margin, 0, page);
  svg.box({margin, margin}, chart_width, chart_height, 8, panel, edge);
  svg.text({margin * 2, margin + 30}, report.gpu, {words, 16, true});
  svg.text({margin * 2, margin + 50},
           report.origin + "; large dots: the best of each kernel, filled = bytes counted, hollow = modelled",
           {dim, 12});
  draw_chart(svg, report);
  const double side = chart_width + 2 * margin;
  svg.box({side, margin}, side_width, chart_height, 8, panel, edge);
  double y = margin + 30;
  for (const auto& found : report.best) {
    y = draw_side(svg, {side + margin, y}, side_width - 2 * margin, found);
  }
  return svg;
}

}  // namespace rooftile::cli
