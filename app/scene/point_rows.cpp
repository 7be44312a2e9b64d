#include "app/scene/point_rows.hpp"

#include <algorithm>
#include <ranges>

#include "analysis/format.hpp"
#include "app/scene/chart.hpp"
#include "app/scene/chart_rows.hpp"
#include "app/scene/wording.hpp"

namespace rooftile::scene {
namespace {

std::string variant(const AppState& state, const Point& point) {
  const auto manifest = std::ranges::find(state.catalogue, point.kernel, &Manifest::name);
  return manifest != state.catalogue.end() ? variant_text(*manifest, point.parameters) : text(point.parameters);
}

// The performance; of a kernel without FLOPs what it moves through DRAM.
std::string rate(const Placement& placement) {
  if (placement.performance) {
    return text(*placement.performance);
  }
  const LevelUse* dram = placement.level(MemoryLevel::dram);
  return dram ? text(dram->bandwidth) : unknown_text;
}

std::string achieved_occupancy(const Point& point) {
  if (!point.counters || !point.counters->achieved_occupancy) {
    return unknown_text;
  }
  return percent(*point.counters->achieved_occupancy);
}

double largest_share(const Placement& placement) {
  double largest = placement.compute_share.value_or(0);
  for (const LevelUse& use : placement.levels) {
    largest = std::max(largest, use.share.value_or(0));
  }
  return largest;
}

void describe(TableRow& row, const AppState& state, const Point& point, const Placement& placement) {
  const Gpu* device = gpu(state);
  const auto theoretical = device ? occupancy_of(point, device->sm) : std::nullopt;
  const LevelUse* dram = placement.level(MemoryLevel::dram);
  row.time = text(placement.time);
  row.rate = rate(placement);
  row.share = percent(largest_share(placement));
  row.dram = dram ? text(dram->bytes) : unknown_text;
  row.occupancy = achieved_occupancy(point);
  row.bound_by = diagnose(point, placement, theoretical).bound_by;
}

TableRow table_row(const AppState& state, const Point& point, const Roofs& roofs) {
  TableRow row;
  row.id = point.id;
  row.evidence = point.evidence();
  row.pinned = state.choice.pinned.contains(point.id);
  row.kernel = point.kernel;
  row.variant = variant(state, point);
  row.failure = point.failure;
  row.time = row.rate = row.share = row.dram = row.occupancy = row.bound_by = unknown_text;
  if (const auto placement = place(point, roofs, state.view.bytes)) {
    describe(row, state, point, *placement);
  }
  return row;
}

}  // namespace

std::vector<TableRow> table_rows(const AppState& state, const Roofs& roofs) {
  const Point* current = current_point(state);
  std::vector<TableRow> rows;
  for (const std::uint64_t id : state.choice.trail | std::views::reverse) {
    const Point* point = state.session.log->point(id);
    if (point && point->gpu == state.choice.gpu) {
      rows.push_back(table_row(state, *point, roofs));
      rows.back().current = current && current->id == id;
    }
  }
  return rows;
}

}  // namespace rooftile::scene
