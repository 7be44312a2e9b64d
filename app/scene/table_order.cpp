#include "app/scene/table_order.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include "analysis/diagnosis.hpp"
#include "analysis/edit_distance.hpp"
#include "analysis/format.hpp"
#include "app/scene/chart.hpp"
#include "app/scene/chart_rows.hpp"
#include "app/scene/wording.hpp"

namespace rooftile::scene {
namespace {

std::string bound_by(const AppState& state, const Point& point, const Placement& placement) {
  const Gpu* device = gpu(state);
  return diagnose(point, placement, device ? occupancy_of(point, device->sm) : std::nullopt).bound_by;
}

// All that a filter can find: "sgemm_tiled tiled TILE=32 tile 32 cold DRAM".
std::string words_of(const AppState& state, const Point& point, const Roofs& roofs) {
  std::string words = point.kernel + " " + text(point.parameters);
  const auto manifest = std::ranges::find(state.catalogue, point.kernel, &Manifest::name);
  if (manifest != state.catalogue.end()) {
    words += " " + manifest->short_title;
    for (const auto& [name, value] : point.parameters) {
      const Parameter* parameter = manifest->parameter(name);
      words += parameter ? " " + dial_text(*parameter, value) : "";
    }
  }
  const auto name = state.choice.names.find(point.id);
  words += name != state.choice.names.end() ? " " + name->second : "";
  words += point.caches == Caches::cold ? " cold" : " warm";
  words += point.failure ? " failed" : "";
  const auto placement = place(point, roofs, state.view.bytes);
  return lowercase(placement ? words + " " + bound_by(state, point, *placement) : words);
}

bool passes(const AppState& state, std::uint64_t id, const Roofs& roofs,
            const std::vector<std::string>& wanted) {
  const Point* point = state.session.log->point(id);
  if (!point) {
    return false;
  }
  const std::string words = words_of(state, *point, roofs);
  return std::ranges::all_of(wanted,
                             [&](const std::string& word) { return words.find(word) != std::string::npos; });
}

void filter(const AppState& state, std::vector<std::uint64_t>& ids, const Roofs& roofs) {
  std::istringstream in(lowercase(state.view.table.filter));
  std::vector<std::string> wanted;
  for (std::string word; in >> word;) {
    wanted.push_back(word);
  }
  if (!wanted.empty()) {
    std::erase_if(ids, [&](std::uint64_t id) { return !passes(state, id, roofs, wanted); });
  }
}

// A line's place under one column: by figure, else by words.
struct SortKey {
  std::optional<double> figure;
  std::string words;
};

SortKey key_of(const AppState& state, const Point& point, TableColumn column, const Roofs& roofs) {
  const auto placement = place(point, roofs, state.view.bytes);
  switch (column) {
    case TableColumn::launch:
      return {{}, point.kernel + " " + text(point.parameters)};
    case TableColumn::time:
      return {placement ? std::optional(placement->time.value) : std::nullopt, ""};
    case TableColumn::rate:
      return {placement ? rate_of(*placement) : std::nullopt, ""};
    case TableColumn::share:
      return {placement ? placement->largest_share() : std::nullopt, ""};
    case TableColumn::dram: {
      const LevelUse* dram = placement ? placement->level(MemoryLevel::dram) : nullptr;
      return {dram ? std::optional(dram->bytes.value) : std::nullopt, ""};
    }
    case TableColumn::occupancy:
      return {point.counters ? point.counters->achieved_occupancy : std::nullopt, ""};
    case TableColumn::bound_by:
      break;
  }
  return {{}, placement ? bound_by(state, point, *placement) : ""};
}

bool is_unknown(const SortKey& key) {
  return !key.figure && key.words.empty();
}

void sort(const AppState& state, std::vector<std::uint64_t>& ids, TableColumn column, const Roofs& roofs) {
  std::vector<std::pair<SortKey, std::uint64_t>> keyed;
  for (const std::uint64_t id : ids) {
    const Point* point = state.session.log->point(id);
    keyed.emplace_back(point ? key_of(state, *point, column, roofs) : SortKey{}, id);
  }
  const bool descending = state.view.table.descending;
  std::ranges::stable_sort(keyed, [&](const auto& a, const auto& b) {
    if (is_unknown(a.first) || is_unknown(b.first)) {
      return !is_unknown(a.first) && is_unknown(b.first);
    }
    const SortKey& first = descending ? b.first : a.first;
    const SortKey& second = descending ? a.first : b.first;
    return first.figure ? *first.figure < second.figure.value_or(0) : first.words < second.words;
  });
  std::ranges::transform(keyed, ids.begin(), [](const auto& each) { return each.second; });
}

}  // namespace

std::string_view title(TableColumn column) {
  constexpr std::array<std::string_view, 7> titles = {"kernel and dials", "time",    "rate", "of roof", "DRAM",
                                                      "occupancy",        "bound by"};
  return titles[static_cast<std::size_t>(column)];
}

std::vector<std::uint64_t> ordered(const AppState& state, std::vector<std::uint64_t> ids) {
  const Roofs roofs = roofs_of(state);
  filter(state, ids, roofs);
  if (state.view.table.sorted_by) {
    sort(state, ids, *state.view.table.sorted_by, roofs);
  }
  return ids;
}

}  // namespace rooftile::scene
