#include "app/scene/table/table_order.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>

#include "analysis/text/edit_distance.hpp"
#include "analysis/text/format.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/chart/chart_beside.hpp"
#include "app/scene/state/app_state.hpp"
#include "app/scene/state/wording.hpp"

namespace rooftile::scene {
namespace {

std::string bound_by(const AppState& state, const Point& point, const Roofs& roofs) {
  const Gpu* device = gpu(state);
  return verdict_of(point, place(point, roofs, state.view.bytes),
                    device ? occupancy_of(point, device->sm) : std::nullopt)
      .bound_by;
}

// "sgemm_tiled tiled TILE=32 tile 32 cold DRAM"
std::string words_of(const AppState& state, const Point& point, const Roofs& roofs) {
  std::string words = point.kernel + " " + text(point.parameters);
  const auto manifest = std::ranges::find(state.known.catalogue, point.kernel, &Manifest::name);
  if (manifest != state.known.catalogue.end()) {
    words += " " + manifest->short_title;
    for (const auto& [name, value] : point.parameters) {
      const Parameter* parameter = manifest->parameter(name);
      words += parameter ? " " + dial_text(*parameter, value) : "";
    }
  }
  words += point.caches == Caches::cold ? " cold" : " warm";
  return lowercase(words + " " + bound_by(state, point, roofs));
}

bool is_digit(char letter) {
  return std::isdigit(static_cast<unsigned char>(letter)) != 0;
}

// Numbers are found whole: "tile 8" is no part of "tile 81".
bool contains(std::string_view words, std::string_view wanted) {
  const auto goes_on = [&](std::size_t at) {
    return at < words.size() && (is_digit(words[at]) || words[at] == '.');
  };
  for (auto at = words.find(wanted); at != std::string::npos; at = words.find(wanted, at + 1)) {
    const bool cut_before = is_digit(wanted.front()) && at > 0 && goes_on(at - 1);
    const bool cut_after = is_digit(wanted.back()) && goes_on(at + wanted.size());
    if (!cut_before && !cut_after) {
      return true;
    }
  }
  return false;
}

// A number belongs to the word before it: "tile 8 cold" wants "tile 8" and "cold".
std::vector<std::string> wanted_words(const std::string& filter) {
  std::istringstream in(lowercase(filter));
  std::vector<std::string> wanted;
  for (std::string word; in >> word;) {
    if (is_digit(word.front()) && !wanted.empty() && !is_digit(wanted.back().back())) {
      wanted.back() += " " + word;
    } else {
      wanted.push_back(word);
    }
  }
  return wanted;
}

bool passes(const AppState& state, TableKeys& keys, std::uint64_t id, const std::vector<std::string>& wanted) {
  const Point* point = find_point(state, id);
  if (!point) {
    return false;
  }
  const std::string& words = keys.words(state, *point);
  const auto given = state.choice.names.find(id);
  const std::string name = given != state.choice.names.end() ? lowercase(given->second) : "";
  return std::ranges::all_of(
      wanted, [&](const std::string& word) { return contains(words, word) || contains(name, word); });
}

void filter(const AppState& state, TableKeys& keys, std::vector<std::uint64_t>& ids) {
  const std::vector<std::string> wanted = wanted_words(state.view.table.filter);
  if (!wanted.empty()) {
    std::erase_if(ids, [&](std::uint64_t id) { return !passes(state, keys, id, wanted); });
  }
}

SortKey key_of(const AppState& state, const Point& point, TableColumn column, const Roofs& roofs) {
  const auto placement = place(point, roofs, state.view.bytes);
  const LaunchFacts facts{point, placement ? &*placement : nullptr};
  const auto figure = [&](CellKey key) { return SortKey{value_of(key, facts), ""}; };
  switch (column) {
    case TableColumn::launch:
      return {{}, point.kernel + " " + text(point.parameters)};
    case TableColumn::time:
      return figure({Figure::time});
    case TableColumn::beside:
      return {ratio_beside(state, point), ""};
    case TableColumn::rate:
      return figure(rate_key(facts.placement));
    case TableColumn::share:
      return figure({Figure::nearest_share});
    case TableColumn::intensity:
      return figure({Figure::intensity, MemoryLevel::dram});
    case TableColumn::dram:
      return figure({Figure::bytes, MemoryLevel::dram});
    case TableColumn::occupancy:
      return figure({Figure::achieved_occupancy});
    case TableColumn::bound_by:
      break;
  }
  return {{}, bound_by(state, point, roofs)};
}

bool is_unknown(const SortKey& key) {
  return !key.figure && key.words.empty();
}

bool comes_before(const SortKey& a, const SortKey& b, bool descending) {
  if (is_unknown(a) || is_unknown(b)) {
    return !is_unknown(a) && is_unknown(b);
  }
  const SortKey& first = descending ? b : a;
  const SortKey& second = descending ? a : b;
  return first.figure ? *first.figure < second.figure.value_or(0) : first.words < second.words;
}

void sort(const AppState& state, TableKeys& keys, std::vector<std::uint64_t>& ids) {
  const SortKey unknown;
  std::vector<std::pair<const SortKey*, std::uint64_t>> keyed;
  keyed.reserve(ids.size());
  for (const std::uint64_t id : ids) {
    const Point* point = find_point(state, id);
    keyed.emplace_back(point ? &keys.key(state, *point) : &unknown, id);
  }
  std::ranges::stable_sort(keyed, [&](const auto& a, const auto& b) {
    return comes_before(*a.first, *b.first, state.view.table.descending);
  });
  std::ranges::transform(keyed, ids.begin(), [](const auto& each) { return each.second; });
}

}  // namespace

std::optional<double> ratio_beside(const AppState& state, const Point& point) {
  const Point* other = launch_beside(state, point);
  const bool known = other && other->timing && point.timing && !point.failure;
  return known ? std::optional(other->timing->median / point.timing->median) : std::nullopt;
}

std::string_view title(TableColumn column) {
  constexpr std::array<std::string_view, 9> titles = {
      "kernel and dials", "time", "compared",           "rate",    "of roof",
      "intensity",        "DRAM", "achieved occupancy", "bound by"};
  return titles[static_cast<std::size_t>(column)];
}

std::string_view meaning_of(TableColumn column) {
  constexpr std::array<std::string_view, 9> meanings = {
      "The kernel, and its dials where they differ from each other.",
      "The median of several launches, or what the model predicts.",
      "The time of the same launch in what this is compared with, over the time here.",
      "FLOPs in a second; of a kernel without FLOPs, bytes.",
      "How much of the nearest roof the launch uses.",
      "FLOPs for each byte at DRAM.",
      "The bytes that DRAM moves for the launch.",
      "Warps that were resident on average, as a share of the warps that an SM can hold.",
      "This resource limits the time of the launch."};
  return meanings[static_cast<std::size_t>(column)];
}

void TableKeys::rest_on(const AppState& state) {
  const LaunchBasis basis = launch_basis(state);
  words_.rest_on(basis);
  keys_.rest_on({state.known.session.log, basis, state.view.table.sorted_by, state.view.beside});
}

const SortKey& TableKeys::key(const AppState& state, const Point& point) {
  const auto& [log, basis, column, beside] = keys_.basis();
  return keys_.of(point, [&](const Point& each) { return key_of(state, each, *column, basis.roofs); });
}

const std::string& TableKeys::words(const AppState& state, const Point& point) {
  return words_.of(point, [&](const Point& each) { return words_of(state, each, words_.basis().roofs); });
}

std::vector<std::uint64_t> ordered(const AppState& state, TableKeys& keys, std::vector<std::uint64_t> ids) {
  keys.rest_on(state);
  filter(state, keys, ids);
  if (state.view.table.sorted_by) {
    sort(state, keys, ids);
  }
  return ids;
}

}  // namespace rooftile::scene
