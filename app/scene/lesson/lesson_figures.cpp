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

}  // namespace

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
  return figures;
}

}  // namespace rooftile::scene
