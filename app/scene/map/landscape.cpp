#include "app/scene/map/landscape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "analysis/advice/noise.hpp"
#include "analysis/text/format.hpp"
#include "app/scene/chart/chart_rows.hpp"
#include "app/scene/chart/kernel_code.hpp"
#include "app/scene/map/cell_figures.hpp"
#include "app/scene/map/landscape_words.hpp"
#include "app/scene/map/map_choice.hpp"
#include "app/scene/map/map_correction.hpp"
#include "app/scene/map/map_grid.hpp"
#include "app/scene/map/map_metric.hpp"
#include "app/scene/map/map_predictions.hpp"

namespace rooftile::scene {
namespace {

constexpr double many = 3;
// The most predictions for all cells together, about 2 s.
constexpr double most_predictions = 2e4;

class Mapping {
 public:
  Mapping(const AppState& state, const Roofs& roofs, KeptMap& kept, const MapChoice& choice)
      : state_(state),
        roofs_(roofs),
        kept_(kept),
        choice_(choice),
        manifest_(kernel(state)),
        present_(dialled(state)),
        grid_(manifest_, present_, choice_) {}

  Landscape draw() {
    map_.choice = choice_;
    map_.across = grid_.across();
    map_.down = grid_.down();
    rest_on_what_is_shown();
    make_cells();
    take_launches();
    predict_the_rest();
    map_.holds_others = choice_.best_over_others && (kept_.others.empty() || is_read_from_code(manifest_));
    scale();
    mark_best();
    if (choice_.scatter) {
      scatter();
    }
    return std::move(map_);
  }

 private:
  const std::string& across() const { return map_.across.parameter; }
  const std::string& down() const { return map_.down.parameter; }  // may be empty

  void rest_on_what_is_shown() {
    const LaunchBasis basis = launch_basis(state_);
    const std::string shown = fmt::format(
        "{} {} {} | {} {} {} | {} {} | {} {} | ", state_.choice.kernel, state_.choice.gpu,
        static_cast<int>(state_.choice.caches), across(), down(), text(problem_of(manifest_, present_)),
        fmt::join(map_.across.values, " "), fmt::join(map_.down.values, " "), choice_.best_over_others,
        is_read_from_code(manifest_) ? state_.known.code_revision : 0);
    const KeptMap::OnMetric metric{basis.log, basis, choice_.metric};
    const bool new_metric = !(kept_.figures.basis() == metric);
    const std::string grid = shown + text(grid_.held_dials());
    if (std::exchange(kept_.grid, grid) != grid || new_metric) {
      kept_.cells = grid_.empty_cells();
    }
    if (std::exchange(kept_.others_of, shown) != shown || new_metric) {
      kept_.others = choice_.best_over_others ? grid_.every_other(most_predictions) : std::vector<Parameters>();
      kept_.bests.assign(kept_.cells.size(), {});
    }
    kept_.cell_of.rest_on({basis.log, kept_.grid});
    kept_.figures.rest_on(metric);
    kept_.dots.rest_on(basis);
  }

  void make_cells() {
    for (const EmptyCell& empty : kept_.cells) {
      MapCell& cell = map_.cells.emplace_back();
      cell.place = empty.place;
      cell.why_not = empty.why_not;
      cell.present = grid_.is_present(empty.place);
    }
  }

  // Launches of one problem, unless an axis is a size.
  std::vector<std::uint64_t> launches() const {
    const auto is_of_problem = [&](const std::string& name) {
      const Parameter* parameter = manifest_.parameter(name);
      return parameter && parameter->is_of_problem();
    };
    if (!is_of_problem(across()) && !is_of_problem(down())) {
      return launches_of_problem();
    }
    std::vector<std::uint64_t> ids;
    state_.known.recordings.each(state_.choice.gpu, state_.choice.kernel, state_.choice.caches,
                                 [&](const Parameters&, std::uint64_t id) {
                                   if (const Point* launch = launch_of(id); launch && !launch->wrong()) {
                                     ids.push_back(id);
                                   }
                                 });
    return ids;
  }

  std::vector<std::uint64_t> launches_of_problem() const {
    return state_.known.recordings.by_speed(state_.choice.gpu, state_.choice.kernel, state_.choice.caches,
                                            problem_of(manifest_, present_));
  }

  const Point* launch_of(std::uint64_t id) const { return state_.known.session.log->points.find(id); }

  void take_launches() {
    std::vector<const Point*> fastest(map_.cells.size());
    for (const std::uint64_t id : launches()) {
      const Point* launch = launch_of(id);
      const auto cell = launch
                            ? kept_.cell_of.of(*launch, [&](const Point& each) { return grid_.cell_of(each); })
                            : std::nullopt;
      if (cell && (!fastest[*cell] || launch->timing->median < fastest[*cell]->timing->median)) {
        fastest[*cell] = launch;
      }
    }
    over_model_.assign(map_.cells.size(), {});
    for (std::size_t i = 0; i < fastest.size(); ++i) {
      if (fastest[i]) {
        show_launch(i, *fastest[i]);
      }
    }
  }

  void show_launch(std::size_t at, const Point& launch) {
    const auto& figures = kept_.figures.of(
        launch, [&](const Point& each) { return figures_of(state_, roofs_, choice_.metric, each); });
    map_.cells[at].launch = launch.id;
    fill(map_.cells[at], figures);
    over_model_[at] = figures.over_model;
  }

  void fill(MapCell& cell, const CellFigures& figures) {
    cell.place = figures.place;
    cell.time = figures.time;
    cell.value = figures.value;
    cell.facts = figures.facts;
    has_flops_ |= figures.has_flops;
    largest_ = std::max(largest_, figures.value.value_or(0));
  }

  // The model fills the cells where nothing was measured.
  void predict_the_rest() {
    const Gpu* device = gpu(state_);
    MapPredictions predictions(state_, roofs_, choice_.metric, grid_, kept_);
    const MapCorrection correction(state_, roofs_, grid_, over_model_);
    for (std::size_t i = 0; device && i < map_.cells.size(); ++i) {
      if (!map_.cells[i].launch) {
        show_prediction(i, predictions.predict(i, *device), correction);
      }
    }
    map_.unfinished = predictions.unfinished();
  }

  void show_prediction(std::size_t at, const std::optional<CellFigures>& predicted,
                       const MapCorrection& correction) {
    MapCell& cell = map_.cells[at];
    cell.why_not = why_wrong(state_, kept_.cells[at].place).value_or(kept_.cells[at].why_not);
    if (!predicted || why_wrong(state_, kept_.cells[at].place)) {
      return;
    }
    cell.why_not.clear();
    fill(cell, *predicted);
    cell.predicted = true;
    if (is_of_time(choice_.metric)) {
      correction.correct(at, map_);
      largest_ = std::max(largest_, cell.value.value_or(0));
    }
  }

  void scale() {
    const MapUnit unit = unit_of(map_.choice.metric, largest_, has_flops_);
    map_.unit = unit.name;
    map_.less_is_better = less_is_better(map_.choice.metric);
    for (MapCell& cell : map_.cells) {
      if (cell.value) {
        *cell.value *= unit.factor;
        cell.text = short_figure(*cell.value);
        map_.lowest = std::min(map_.lowest.value_or(*cell.value), *cell.value);
        map_.highest = std::max(map_.highest.value_or(*cell.value), *cell.value);
      }
    }
    map_.by_ratios = map_.lowest && *map_.lowest > 0 && *map_.highest > many * *map_.lowest;
  }

  // The fastest measured cell; where nothing was measured, the fastest predicted one.
  MapCell* fastest() {
    const bool measured =
        std::ranges::any_of(map_.cells, [](const MapCell& cell) { return cell.launch.has_value(); });
    MapCell* best = nullptr;
    for (MapCell& cell : map_.cells) {
      const bool counts = cell.time && cell.launch.has_value() == measured;
      best = counts && (!best || *cell.time < *best->time) ? &cell : best;
    }
    return best;
  }

  bool is_near(const MapCell& cell, const MapCell& best) const {
    return cell.launch && best.launch &&
           rooftile::within_noise(*launch_of(*cell.launch)->timing, *launch_of(*best.launch)->timing);
  }

  void mark_best() {
    MapCell* best = fastest();
    for (MapCell& cell : map_.cells) {
      cell.best = &cell == best;
      cell.within_noise = best && !cell.best && is_near(cell, *best);
    }
    map_.summary = map_summary(manifest_, map_);
  }

  // Every launch of the same work, whatever its dials.
  void scatter() {
    const MapUnit unit = unit_of(MapMetric::rate, 0, has_flops_);
    map_.scatter_unit = unit.name;
    for (const std::uint64_t id : launches_of_problem()) {
      const Point* launch = launch_of(id);
      const auto& dot = kept_.dots.of(*launch, [&](const Point& each) { return dot_of(each); });
      if (dot) {
        map_.scatter.push_back(*dot);
        map_.scatter.back().rate *= unit.factor;
      }
    }
    const auto best = std::ranges::max_element(map_.scatter, {}, &ScatterDot::rate);
    if (best != map_.scatter.end()) {
      best->best = true;
    }
  }

  std::optional<ScatterDot> dot_of(const Point& point) const {
    const auto placement = place(point, roofs_, state_.view.bytes);
    const auto rate = placement ? rate_of(*placement) : std::nullopt;
    const auto achieved = figure_of(MapMetric::achieved, point, placement, gpu(state_));
    const auto occupancy = achieved ? achieved : figure_of(MapMetric::occupancy, point, placement, gpu(state_));
    return rate && occupancy ? std::optional(ScatterDot{point.id, *occupancy, *rate, false}) : std::nullopt;
  }

  const AppState& state_;
  const Roofs& roofs_;
  KeptMap& kept_;
  const MapChoice& choice_;
  const Manifest& manifest_;
  const Parameters present_;
  const MapGrid grid_;
  double largest_ = 0;
  bool has_flops_ = false;
  std::vector<std::optional<double>> over_model_;  // measured over predicted time of each cell's launch
  Landscape map_;
};

std::string what_the_map_depends_on(const AppState& state, const MapChoice& choice) {
  return fmt::format("{} {} {} {} | {} {} {} {} {} | {} {} {} {}", state.choice.gpu, state.choice.kernel,
                     static_cast<int>(state.choice.caches), text(dialled(state)), choice.across, choice.down,
                     static_cast<int>(choice.metric), choice.best_over_others, choice.scatter,
                     static_cast<const void*>(state.known.session.log.get()),
                     state.known.session.log->points.revision(), state.known.code_revision,
                     static_cast<int>(state.view.bytes));
}

}  // namespace

Landscape landscape(const AppState& state, const Roofs& roofs, KeptMap& kept, Landscape before) {
  const MapChoice choice = map_choice(state);
  const std::string from = what_the_map_depends_on(state, choice);
  if (before.from == from && before.roofs == roofs && !before.unfinished) {
    return before;
  }
  Landscape map;
  map.choice = choice;
  if (kernel(state).parameter(choice.across)) {
    map = Mapping(state, roofs, kept, choice).draw();
  }
  map.from = from;
  map.roofs = roofs;
  return map;
}

}  // namespace rooftile::scene
