#include "app/scene/chart_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/format.hpp"
#include "app/scene/chart.hpp"
#include "app/scene/wording.hpp"

namespace rooftile::scene {
namespace {

constexpr double fading = 0.72;  // from one point to the one before it
constexpr double faintest_row = 0.3;

std::string position_text(const LevelUse& use, const Placement& placement) {
  if (use.intensity && placement.performance) {
    const std::string intensity = placement.pipe == warp_issue
                                      ? fmt::format("{:.3g} instructions a transaction", use.intensity->value)
                                      : text(*use.intensity);
    return fmt::format("{}  {},  {}", title(use.level), intensity, placement.rate());
  }
  return fmt::format("{}  {}", title(use.level), text(use.bandwidth));
}

std::vector<std::string> facts(const Point& point, const Placement& placement, const LevelUse& use) {
  std::vector<std::string> lines{
      position_text(use, placement),
      fmt::format("{} in {} = {}, {} of its roof", text(use.bytes), text(placement.time), text(use.bandwidth),
                  use.share ? percent(*use.share) : unknown_text),
      origin_text(point, use.counted)};
  if (use.above_roof) {
    lines.push_back("Above its roof: the roof, the clock or the counter is wrong.");
  }
  return lines;
}

Dot dot(const Point& point, const Placement& placement, const LevelUse& use) {
  return {.level = use.level,
          .intensity = use.intensity ? std::optional(use.intensity->value) : std::nullopt,
          .share = use.share,
          .rate = text(use.bandwidth),
          .above_roof = use.above_roof || placement.above_compute_roof,
          .facts = facts(point, placement, use)};
}

// Parameters in which the shown points of the kernel differ: the ones worth writing beside them.
std::set<std::string> varying(const std::vector<const Point*>& points, const std::string& kernel) {
  std::set<std::string> names;
  const Point* first = nullptr;
  for (const Point* point : points) {
    if (point->kernel != kernel) {
      continue;
    }
    first = first ? first : point;
    for (const auto& [name, value] : point->parameters) {
      const auto other = first->parameters.find(name);
      if (other == first->parameters.end() || other->second != value) {
        names.insert(name);
      }
    }
  }
  return names;
}

// Sizes that follow another say nothing new.
std::set<std::string> without_followers(const Manifest& manifest, std::set<std::string> names) {
  std::erase_if(names, [&](const std::string& name) {
    const Parameter* parameter = manifest.parameter(name);
    return parameter && parameter->follows;
  });
  return names;
}

std::vector<const Point*> shown_points(const AppState& state) {
  std::vector<const Point*> points;
  for (const std::uint64_t id : state.choice.trail) {
    const Point* point = state.session.log->point(id);
    const bool wanted = point && point->gpu == state.choice.gpu &&
                        (point->kernel == state.choice.kernel || state.choice.pinned.contains(id));
    if (wanted && landed(*point)) {
      points.push_back(point);
    }
  }
  return points;
}

std::string label(const AppState& state, const Point& point, const std::set<std::string>& names) {
  const auto manifest = std::ranges::find(state.catalogue, point.kernel, &Manifest::name);
  if (manifest == state.catalogue.end()) {
    return point.kernel;
  }
  return point.kernel == state.choice.kernel ? dials_text(*manifest, point.parameters, names)
                                             : point.kernel + "  " + variant_text(*manifest, point.parameters);
}

bool can_stand(const Chart& chart, const Placement& placement) {
  return !placement.levels.empty() && placement.performance.has_value() == (chart.kind != ChartKind::shares);
}

void move_current_last(Chart& chart, const AppState& state) {
  const Point* current = current_point(state);
  const auto row = current ? std::ranges::find(chart.rows, current->id, &ChartRow::id) : chart.rows.end();
  if (row != chart.rows.end()) {
    std::rotate(row, row + 1, chart.rows.end());
  }
}

}  // namespace

const Dot* ChartRow::dot(MemoryLevel level) const {
  const auto found = std::ranges::find(dots, level, &Dot::level);
  return found != dots.end() ? &*found : nullptr;
}

bool counted_by(const Point& point, ByteDefinition definition) {
  return point.counters && point.counters->bytes(MemoryLevel::l2, definition);
}

ChartRow chart_row(const Point& point, const Placement& placement) {
  ChartRow row;
  row.id = point.id;
  row.evidence = placement.evidence;
  row.figure = placement.performance ? placement.rate() : text(placement.time);
  if (placement.performance) {
    row.performance = placement.performance->value;
  }
  for (const LevelUse& use : placement.levels) {
    row.dots.push_back(dot(point, placement, use));
  }
  return row;
}

void add_rows(Chart& chart, const AppState& state, const Roofs& roofs) {
  const std::vector<const Point*> points = shown_points(state);
  const auto names = without_followers(kernel(state), varying(points, state.choice.kernel));
  for (const Point* point : points) {
    const auto placement = place_on_chart(state, *point, roofs);
    if (placement && can_stand(chart, *placement)) {
      chart.rows.push_back(chart_row(*point, *placement));
      chart.rows.back().label = label(state, *point, names);
      chart.rows.back().pinned = state.choice.pinned.contains(point->id);
    }
  }
  move_current_last(chart, state);
  double freshness = 1;
  for (auto row = chart.rows.rbegin(); row != chart.rows.rend(); ++row) {
    row->freshness = row->pinned ? std::max(freshness, 0.8) : std::max(freshness, faintest_row);
    freshness *= fading;
  }
}

}  // namespace rooftile::scene
