#include "app/scene/lesson/lesson_figures.hpp"

#include <algorithm>

#include "app/scene/access/access_view.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/state/best_launch.hpp"
#include "app/scene/verdict/subject.hpp"

namespace rooftile::scene {
namespace {

constexpr const char* best_time = "best_time_s";
constexpr const char* bank_wavefronts = "bank_wavefronts";
constexpr const char* warp_sectors = "warp_sectors";
constexpr double words_of_sector = sector_bytes / bank_bytes;

// The launch at the dials, else what the model says of it.
std::optional<Point> point_here(const AppState& state) {
  if (const Point* point = current_point(state)) {
    return *point;
  }
  const auto predicted = ghost(state, roofs_of(state));
  return predicted ? std::optional(predicted->point) : std::nullopt;
}

void add_cells(Parameters& figures, const AppState& state, const Point& point) {
  const Roofs roofs = roofs_of(state);
  const LaunchReport report = launch_report(point, gpu(state), &roofs, state.view.bytes);
  for (const Cell& cell : report.cells()) {
    if (cell.value) {
      figures[cell.id] = *cell.value;
    }
  }
}

constexpr const char *picked_lane = "picked_lane", *picked_lanes = "picked_lanes", *picked_bank = "picked_bank",
                     *picked_in_bank = "picked_in_bank", *picked_moves = "picked_moves",
                     *picked_buffer = "picked_buffer", *picked_now = "picked_now",
                     *picked_earlier = "picked_earlier";

void add_word(Parameters& figures, const AccessView& view, std::int64_t number) {
  const auto bank = static_cast<double>(number % bank_count);
  const auto word = std::ranges::find(view.words, number, &BankWord::word);
  const bool moves = word != view.words.end(), is_asked_for = moves && !word->lanes.empty();
  figures[picked_bank] = bank;
  figures[picked_in_bank] = static_cast<double>(
      std::ranges::count_if(view.words, [&](const BankWord& each) { return each.bank == bank; }));
  figures[picked_moves] = moves;
  figures[picked_lanes] = moves ? static_cast<double>(word->lanes.size()) : 0;
  figures[picked_lane] = is_asked_for ? word->lanes.front() : -1;
}

void add_element(Parameters& figures, const TileView& view, const PickedCell& picked) {
  if (picked.buffer >= view.tiles.size() ||
      static_cast<std::size_t>(picked.cell) >= view.tiles[picked.buffer].cells.size()) {
    return;
  }
  const std::uint8_t cell = view.tiles[picked.buffer].cells[static_cast<std::size_t>(picked.cell)];
  figures[picked_buffer] = static_cast<double>(picked.buffer + 1);
  figures[picked_now] = cell >= TileOfBuffer::now;
  figures[picked_earlier] = cell == TileOfBuffer::earlier;
}

void add_picked(Parameters& figures, const AppState& state, const PickedCell& picked) {
  const Shown& shown = state.derived.shown;
  if (picked.picture == Panel::tile) {
    add_element(figures, shown.tile, picked);
  } else {
    add_word(figures, picked.picture == Panel::banks ? shown.banks : shown.sectors, picked.cell);
  }
}

}  // namespace

std::vector<std::string> picked_figure_names() {
  return {picked_lane,  picked_lanes,  picked_bank, picked_in_bank,
          picked_moves, picked_buffer, picked_now,  picked_earlier};
}

std::vector<std::string> lesson_figure_names() {
  std::vector<std::string> names{best_time, bank_wavefronts, warp_sectors};
  std::ranges::transform(cell_keys(), std::back_inserter(names), id_of);
  return names;
}

Parameters lesson_figures(const AppState& state) {
  Parameters figures = dialled(state);
  const auto point = point_here(state);
  if (point && !point->failure) {
    add_cells(figures, state, *point);
  }
  if (const Point* best = best_launch(state)) {
    figures[best_time] = best->timing->median.value;
  }
  if (const AccessView banks = bank_view(state); banks.wavefronts > 0) {
    figures[bank_wavefronts] = banks.wavefronts;
  }
  if (const AccessView sectors = sector_view(state); !sectors.words.empty()) {
    figures[warp_sectors] = static_cast<double>(sectors.words.size()) / words_of_sector;
  }
  if (state.view.lesson && state.view.lesson->picked) {
    add_picked(figures, state, *state.view.lesson->picked);
  }
  return figures;
}

}  // namespace rooftile::scene
