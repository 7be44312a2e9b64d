#include "app/scene/chart/chart_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/manifest/differing.hpp"
#include "analysis/text/format.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/chart/ladder.hpp"
#include "app/scene/program/program_kernels.hpp"
#include "app/scene/state/wording.hpp"

namespace rooftile::scene {
namespace {

constexpr double fading = 0.72;  // from one point to the one before it
constexpr double faintest_row = 0.3, faintest_pinned = 0.8;
constexpr std::size_t longest_trail = 14;  // after a sweep there are too many launches to follow

std::string position_text(const LevelUse& use, const Placement& placement) {
  if (use.intensity && placement.performance) {
    const std::string intensity = placement.pipe == warp_issue
                                      ? fmt::format("{:.3g} instructions per transaction", use.intensity->value)
                                      : text(*use.intensity);
    return fmt::format("{}  {},  {}", title(use.level), intensity, placement.rate());
  }
  return fmt::format("{}  {}", title(use.level), text(use.bandwidth));
}

Dot dot(const Placement& placement, const LevelUse& use) {
  return {.level = use.level,
          .intensity = use.intensity ? std::optional(use.intensity->value) : std::nullopt,
          .share = use.share,
          .bandwidth = use.bandwidth,
          .above_roof = use.above_roof || placement.above_compute_roof};
}

// Parameters in which the shown points of the kernel differ: the ones worth writing beside them.
std::set<std::string> varying(const std::vector<const Point*>& points, const std::string& kernel) {
  std::vector<const Parameters*> places;
  for (const Point* point : points) {
    if (point->kernel == kernel) {
      places.push_back(&point->parameters);
    }
  }
  return differing(places);
}

// Sizes that follow another say nothing new.
std::set<std::string> without_followers(const Manifest& manifest, std::set<std::string> names) {
  std::erase_if(names, [&](const std::string& name) {
    const Parameter* parameter = manifest.parameter(name);
    return parameter && parameter->follows;
  });
  return names;
}

bool can_be_shown(const Point& point) {
  return landed(point) || (point.id >= first_predicted && !point.failure);
}

// The kernels of a program are seen together.
std::vector<const Point*> shown_points(const AppState& state) {
  if (state.view.ladder) {
    return ladder_points(state);
  }
  std::vector<const Point*> points;
  const bool program = is_of_program(kernel(state));
  for (const std::uint64_t id : state.choice.trail) {
    const Point* point = find_point(state, id);
    const bool wanted = point && point->gpu == state.choice.gpu &&
                        (point->kernel == state.choice.kernel || (program && point->program) ||
                         state.choice.pinned.contains(id));
    if (wanted && can_be_shown(*point)) {
      points.push_back(point);
    }
  }
  return points;
}

// names: the parameters to write beside a launch of the chosen kernel.
std::string label(const AppState& state, const Point& point, const std::set<std::string>& names) {
  if (const auto name = state.choice.names.find(point.id); name != state.choice.names.end()) {
    return name->second;
  }
  const auto manifest = std::ranges::find(state.known.catalogue, point.kernel, &Manifest::name);
  if (manifest == state.known.catalogue.end()) {
    return point.kernel;
  }
  if (is_of_program(*manifest) || is_rung(state, point)) {
    return manifest->short_title;
  }
  return point.kernel == state.choice.kernel ? changed_text(*manifest, point.parameters, names)
                                             : launch_text(state.known.catalogue, point);
}

void move_current_last(std::vector<const Point*>& points, const AppState& state) {
  const auto current = std::ranges::find(points, current_point(state));
  if (current != points.end()) {
    std::rotate(current, current + 1, points.end());
  }
}

// newer: how many launches are newer than this one, of all that are shown.
bool stands_out(const Chart& chart, std::size_t newer, std::size_t all, bool pinned) {
  const bool has_own_line = chart.kind == ChartKind::shares && newer < longest_trail;
  return newer == 0 || pinned || all <= longest_trail || has_own_line;
}

// A failed launch has no row: then the last row, which ran before it, is not the newest.
bool failed_here(const AppState& state) {
  const Point* current = current_point(state);
  return current && current->failure;
}

// All rungs of a ladder have a name, and none is older than another.
void add_rung(Chart& chart, const AppState& state, const ChartRow& placed) {
  ChartRow& row = chart.rows.emplace_back(placed);
  const Point* current = current_point(state);
  row.emphasis = current && current->id == row.id ? Emphasis::newest : Emphasis::named;
}

void add_row(Chart& chart, const AppState& state, const ChartRow& placed, std::size_t newer) {
  ChartRow& row = chart.rows.emplace_back(placed);
  row.pinned = state.choice.pinned.contains(row.id);
  const bool newest = newer == 0 && !failed_here(state);
  row.emphasis = newest ? Emphasis::newest : row.pinned || newer == 0 ? Emphasis::named : Emphasis::plain;
  row.freshness =
      std::max(std::pow(fading, static_cast<double>(newer)), row.pinned ? faintest_pinned : faintest_row);
}

// Empty, too, where dots do not show occupancy.
std::optional<double> occupancy_shown(const AppState& state, const Point& point) {
  if (!state.view.occupancy_on_dots) {
    return {};
  }
  const Gpu* device = gpu(state);
  if (point.counters && point.counters->achieved_occupancy) {
    return point.counters->achieved_occupancy;
  }
  const auto theoretical = device ? occupancy_of(point, device->sm) : std::nullopt;
  return theoretical ? std::optional(theoretical->ratio()) : std::nullopt;
}

// Only of rows that stand out: most of thousands are never read.
void write_words(Chart& chart, const AppState& state, const Roofs& roofs) {
  std::vector<const Point*> points;
  for (const ChartRow& row : chart.rows) {
    points.push_back(find_point(state, row.id));
  }
  const auto names = without_followers(kernel(state), varying(points, state.choice.kernel));
  for (std::size_t i = 0; i < points.size(); ++i) {
    chart.rows[i].on_trail =
        state.view.ladder ? is_rung(state, *points[i]) : points[i]->kernel == state.choice.kernel;
    chart.rows[i].label =
        label(state, *points[i], names) + (state.known.earlier.contains(points[i]->id) ? " (earlier)" : "");
    const Placement placement = place_on_chart(state, *points[i], roofs).value();
    chart.rows[i].figure = (placement.evidence == Evidence::predicted ? "predicted " : "") + figure(placement);
    chart.rows[i].occupancy = occupancy_shown(state, *points[i]);
  }
}

}  // namespace

const Dot* ChartRow::dot(MemoryLevel level) const {
  const auto found = std::ranges::find(dots, level, &Dot::level);
  return found != dots.end() ? &*found : nullptr;
}

double ChartRow::largest_share() const {
  double largest = 0;
  for (const Dot& dot : dots) {
    largest = std::max(largest, dot.share.value_or(0));
  }
  return largest;
}

bool counted_by(const Point& point, ByteDefinition definition) {
  return point.counters && point.counters->bytes(MemoryLevel::l2, definition);
}

ChartRow chart_row(const Point& point, const Placement& placement) {
  ChartRow row;
  row.id = point.id;
  row.evidence = placement.evidence;
  if (placement.performance) {
    row.performance = placement.performance->value;
  }
  row.dots.reserve(placement.levels.size());
  for (const LevelUse& use : placement.levels) {
    row.dots.push_back(dot(placement, use));
  }
  return row;
}

std::optional<double> rate_of(const Placement& placement) {
  if (placement.performance) {
    return placement.performance->value;
  }
  const LevelUse* dram = placement.level(MemoryLevel::dram);
  return dram ? std::optional(dram->bandwidth.value) : std::nullopt;
}

std::string figure(const Placement& placement) {
  return placement.performance ? placement.rate() : text(placement.time);
}

void add_to_crowd(Chart& chart, const ChartRow& row, std::optional<double> occupancy) {
  for (const Dot& dot : row.dots) {
    if (row.performance && dot.intensity) {
      chart.crowd.push_back({row.id, static_cast<float>(std::log(*dot.intensity)),
                             static_cast<float>(std::log(*row.performance)), dot.level, row.evidence,
                             occupancy});
    }
  }
}

void add_rows(Chart& chart, const AppState& state, PlacedRows& placed, const Roofs& roofs) {
  placed.rest_on({state.known.session.log, roofs, chart.kind, state.view.bytes});
  std::vector<const Point*> points = shown_points(state);
  std::erase_if(points, [&](const Point* point) { return !placed.find(*point); });
  if (!state.view.ladder) {
    move_current_last(points, state);
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ChartRow& row = *placed.find(*points[i]);
    const std::size_t newer = points.size() - 1 - i;
    if (state.view.ladder) {
      add_rung(chart, state, row);
    } else if (stands_out(chart, newer, points.size(), state.choice.pinned.contains(row.id))) {
      add_row(chart, state, row, newer);
    } else {
      add_to_crowd(chart, row, occupancy_shown(state, *points[i]));
    }
  }
  write_words(chart, state, roofs);
  if (failed_here(state) && !chart.rows.empty() && chart.rows.back().on_trail) {
    chart.rows.back().label += " (before)";
  }
}

std::vector<std::string> level_facts(const Point& point, const Placement& placement, const LevelUse& use) {
  std::vector<std::string> lines{
      position_text(use, placement),
      fmt::format("{} in {} = {}, {} of its roof", text(use.bytes), text(placement.time), text(use.bandwidth),
                  percent_or_dash(use.share)),
      origin_text(point, use.counted)};
  if (const Cell share = cell_of({Figure::roof_share, use.level}, {point, &placement}); !share.flag.empty()) {
    lines.push_back(share.flag);
  }
  return lines;
}

std::vector<std::string> dot_facts(const AppState& state, std::uint64_t id, MemoryLevel level) {
  const Point* point = find_point(state, id);
  const auto placement = point ? place_on_chart(state, *point, roofs_of(state, point->gpu)) : std::nullopt;
  const LevelUse* use = placement ? placement->level(level) : nullptr;
  if (!use) {
    return {};
  }
  const auto row = std::ranges::find(state.derived.shown.chart.rows, id, &ChartRow::id);
  const std::string name =
      row != state.derived.shown.chart.rows.end() ? row->label : launch_text(state.known.catalogue, *point);
  std::vector<std::string> lines = level_facts(*point, *placement, *use);
  lines.insert(lines.begin(), name + "   " + figure(*placement));
  if (point->gpu != state.choice.gpu) {
    lines.insert(lines.begin() + 1, point->gpu + ", shares of its own roofs");
  }
  return lines;
}

}  // namespace rooftile::scene
