#include "app/cli/roofline_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/format.hpp"
#include "app/cli/log_axes.hpp"
#include "app/cli/svg_colours.hpp"

namespace rooftile::cli {
namespace {

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
LogAxes axes_for(const Report& report, const DrawnRoofs& roofs, Spot corner, double width, double height) {
  const double peak = roofs.compute->peak.value;
  LogAxes axes{{0.1, 100}, {peak / 1e3, peak}, {corner.x + 92, corner.y + 70}, width - 122, height - 140};
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
    svg.line({axes.at(x, 1).x, axes.top()}, {axes.at(x, 1).x, axes.bottom()}, {minor_grid});
  }
  for (const double y : between_decades(axes.y)) {
    svg.line({axes.left(), axes.at(1, y).y}, {axes.right(), axes.at(1, y).y}, {minor_grid});
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
  const double along = roof.level == MemoryLevel::l1 ? 0.55 : 0.06;  // L1's roof can lie on shared memory's
  const double label = start * std::pow(end / start, along);
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

std::vector<Spot> row_of(const LogAxes& axes, const Findings& found) {
  std::vector<Spot> row;
  for (const auto& use : found.placement->levels) {
    if (use.intensity && found.placement->performance) {
      row.push_back(axes.at(use.intensity->value, found.placement->performance->value));
    }
  }
  std::ranges::sort(row, {}, &Spot::x);
  return row;
}

void draw_best(Svg& svg, const LogAxes& axes, const Findings& found) {
  svg.path(row_of(axes, found), {dim, 1, "4 4"});
  for (const auto& use : found.placement->levels) {
    if (use.intensity) {
      draw_dot(svg, axes, found, use, 6, 1);
    }
  }
}

// Above their rows, the fastest first; below where the name before is too near.
void draw_names(Svg& svg, const LogAxes& axes, std::vector<Findings> best) {
  std::ranges::sort(best, std::ranges::greater{},
                    [](const Findings& found) { return *found.placement->performance; });
  double last = axes.top();
  for (const auto& found : best) {
    const Spot dot = row_of(axes, found).back();
    const double above = dot.y - 12;
    last = above > last + 16 ? above : std::max(last + 16, dot.y + 20);
    svg.text({dot.x + 6, last}, found.point.kernel + "  " + text(*found.placement->performance),
             {words, 12, true, true, 'e', 0, panel});
  }
}

}  // namespace

void draw_chart(Svg& svg, const Report& report, Spot corner, double width, double height) {
  const DrawnRoofs roofs = drawn(report.roofs);
  if (roofs.compute == nullptr) {
    svg.text({corner.x + 20, corner.y + 80}, "This session has no compute roof to draw.", {dim, 13});
    return;
  }
  const LogAxes axes = axes_for(report, roofs, corner, width, height);
  draw_grid(svg, axes);
  draw_roofs(svg, axes, roofs);
  for (const auto& found : report.all) {
    draw_faint(svg, axes, found);
  }
  std::vector<Findings> best = report.best;
  std::erase_if(best, [&](const Findings& found) { return row_of(axes, found).empty(); });
  for (const auto& found : best) {
    draw_best(svg, axes, found);
  }
  draw_names(svg, axes, best);
}

}  // namespace rooftile::cli
