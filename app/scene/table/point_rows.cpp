#include "app/scene/table/point_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <string_view>

#include "analysis/manifest/differing.hpp"
#include "analysis/record/program/program_points.hpp"
#include "analysis/text/format.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/chart/chart_rows.hpp"
#include "app/scene/program/program_kernels.hpp"
#include "app/scene/state/wording.hpp"
#include "app/scene/table/table_order.hpp"

namespace rooftile::scene {
namespace {

const Manifest* manifest_of(const AppState& state, const Point& point) {
  const auto manifest = std::ranges::find(state.known.catalogue, point.kernel, &Manifest::name);
  return manifest != state.known.catalogue.end() ? &*manifest : nullptr;
}

void describe(TableRow& row, const LaunchReport& report) {
  row.time = report.cell(Figure::time);
  row.rate = report.rate();
  row.share = report.cell(Figure::nearest_share);
  row.intensity = report.cell(Figure::intensity, MemoryLevel::dram);
  row.dram = report.cell(Figure::bytes, MemoryLevel::dram);
  row.occupancy = report.cell(Figure::achieved_occupancy);
  row.bound_by = report.verdict.bound_by;
  for (const MemoryLevel level : memory_levels) {
    if (const Cell intensity = report.cell(Figure::intensity, level); intensity.value) {
      row.facts.push_back(intensity.label + " " + intensity.text);
    }
  }
  std::ranges::move(report.flags(), std::back_inserter(row.facts));
}

// "Tile 32", one line each.
std::vector<std::string> all_dials(const Manifest& manifest, const Point& point) {
  std::vector<std::string> lines{manifest.title};
  for (const Parameter& parameter : manifest.parameters) {
    if (const auto value = point.parameters.find(parameter.name); value != point.parameters.end()) {
      lines.push_back(dial_text(parameter, value->second));
    }
  }
  lines.push_back(point.caches == Caches::cold ? "cold caches" : "warm caches");
  return lines;
}

// A multiply and a transpose may both be "tiled".
bool is_ambiguous(const AppState& state, const std::string& short_title) {
  return std::ranges::count(state.known.catalogue, short_title, &Manifest::short_title) > 1;
}

void name_row(TableRow& row, const AppState& state, const Point& point) {
  const Manifest* manifest = manifest_of(state, point);
  if (!manifest) {
    row.kernel = point.kernel;
    row.dials = text(point.parameters);
    return;
  }
  row.kernel = manifest->short_title;
  if (is_of_program(*manifest)) {
    row.dials = shape_text(point.launch);
    row.facts = {point.kernel, row.dials};
    return;
  }
  row.kernel = is_ambiguous(state, row.kernel) ? point.kernel : row.kernel;
  const auto differing = state.derived.shown.table.differing.find(point.kernel);
  row.dials = differing != state.derived.shown.table.differing.end()
                  ? distinguishing_text(*manifest, point.parameters, differing->second)
                  : variant_text(*manifest, point.parameters);
  row.facts = all_dials(*manifest, point);
  if (state.known.earlier.contains(point.id)) {
    row.dials += " (earlier)";
    row.facts.push_back("an earlier launch, before its source or kernel.toml changed: " +
                        shape_text(point.launch));
  }
}

// While this stays the same, the same ids stand for the same launches.
std::string what_visits_depend_on(const AppState& state) {
  return fmt::format("{} {}", state.choice.gpu, static_cast<const void*>(state.known.session.log.get()));
}

std::string what_the_table_depends_on(const AppState& state) {
  const TableChoice& choice = state.view.table;
  std::string names;
  for (const auto& [id, name] : state.choice.names) {
    names += fmt::format("{} {} ", id, name);
  }
  return fmt::format("{} | {} {} {} {} {} {} {}", what_visits_depend_on(state),
                     state.known.session.log->points.revision(), static_cast<int>(state.view.bytes),
                     choice.sorted_by ? static_cast<int>(*choice.sorted_by) : -1, choice.descending,
                     choice.filter, state.view.beside, names);
}

// A trail that has only grown goes on from where the table was.
void take_visits(const AppState& state, PointTable& table) {
  const std::vector<std::uint64_t>& trail = state.choice.trail;
  const auto known = std::ranges::mismatch(table.trail, trail).in1;
  if (known != table.trail.end() || !table.from.starts_with(what_visits_depend_on(state) + " |")) {
    table = {};
  }
  for (const std::uint64_t id : trail | std::views::drop(table.trail.size())) {
    const Point* point = find_point(state, id);
    if (point && point->gpu == state.choice.gpu) {
      const auto [first, is_new] = table.first.try_emplace(point->kernel, id);
      if (!is_new) {
        table.differing[point->kernel].merge(
            differing(find_point(state, first->second)->parameters, point->parameters));
      }
      table.visited.push_back(id);
    }
  }
  table.trail = trail;
}

}  // namespace

PointTable point_table(const AppState& state, TableKeys& keys, PointTable table) {
  std::string from = what_the_table_depends_on(state);
  if (from == table.from && table.trail == state.choice.trail) {
    return table;
  }
  take_visits(state, table);
  table.from = std::move(from);
  table.ids = ordered(state, keys, {table.visited.rbegin(), table.visited.rend()});
  return table;
}

TableRow table_row(const AppState& state, std::uint64_t id, const Roofs& roofs) {
  TableRow row;
  row.id = id;
  const Point* point = find_point(state, id);
  if (!point) {
    return row;
  }
  row.evidence = point->evidence();
  row.pinned = state.choice.pinned.contains(id);
  row.current = state.derived.shown.subject && state.derived.shown.subject->point.id == id;
  row.failure = point->failure;
  if (const auto name = state.choice.names.find(id); name != state.choice.names.end()) {
    row.name = name->second;
  }
  name_row(row, state, *point);
  describe(row, launch_report(*point, gpu(state), &roofs, state.view.bytes));
  if (const auto ratio = ratio_beside(state, *point)) {
    row.beside.text = fmt::format("{:.2f}x", *ratio);
  }
  return row;
}

}  // namespace rooftile::scene
