#include "app/scene/map/landscape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "analysis/advice/noise.hpp"
#include "analysis/manifest/combinations.hpp"
#include "analysis/manifest/neighbours.hpp"
#include "analysis/text/format.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/chart/chart_rows.hpp"
#include "app/scene/chart/kernel_code.hpp"
#include "app/scene/map/landscape_words.hpp"
#include "app/scene/map/map_choice.hpp"
#include "app/scene/map/map_metric.hpp"

namespace rooftile::scene {
namespace {

constexpr double many = 3;
// Each takes about 0.1 ms, and a frame 16.
constexpr int predictions_at_once = 100;
// The most predictions for all cells together, about 2 s.
constexpr double most_predictions = 2e4;

class Mapping {
 public:
  Mapping(const AppState& state, const Roofs& roofs, KeptMap& kept)
      : state_(state), roofs_(roofs), kept_(kept), manifest_(kernel(state)), present_(dialled(state)) {}

  Landscape draw() {
    map_.choice = map_choice(state_);
    const Parameter* across = manifest_.parameter(map_.choice.across);
    if (!across) {
      return std::move(map_);
    }
    map_.across = axis(*across);
    if (const Parameter* down = manifest_.parameter(map_.choice.down)) {
      map_.down = axis(*down);
    }
    rest_on_what_is_shown();
    make_cells();
    take_launches();
    predict_the_rest();
    map_.holds_others = map_.choice.best_over_others && (kept_.others.empty() || is_read_from_code(manifest_));
    scale();
    mark_best();
    if (map_.choice.scatter) {
      scatter();
    }
    return std::move(map_);
  }

 private:
  const std::string& across() const { return map_.across.parameter; }
  const std::string& down() const { return map_.down.parameter; }  // may be empty
  bool is_axis(const std::string& name) const { return name == across() || name == down(); }

  MapAxis axis(const Parameter& parameter) const {
    MapAxis axis{.parameter = parameter.name,
                 .label = parameter.label.empty() ? parameter.name : parameter.label,
                 .values = parameter.values};
    if (!parameter.unit.empty()) {
      axis.label += " [" + parameter.unit + "]";
    }
    const double present = present_.at(parameter.name);
    if (std::ranges::find(axis.values, present) == axis.values.end()) {
      axis.values.insert(std::ranges::upper_bound(axis.values, present), present);
    }
    return axis;
  }

  // The given dials, without those of the axes.
  Parameters others() const {
    Parameters given = given_of(manifest_, present_);
    given.erase(across());
    given.erase(down());
    return given;
  }

  void rest_on_what_is_shown() {
    const LaunchBasis basis = launch_basis(state_);
    const std::string grid = fmt::format(
        "{} {} {} | {} {} {} | {} {} | {} {} | ", state_.choice.kernel, state_.choice.gpu,
        static_cast<int>(state_.choice.caches), across(), down(), text(problem_of(manifest_, present_)),
        fmt::join(map_.across.values, " "), fmt::join(map_.down.values, " "), map_.choice.best_over_others,
        is_read_from_code(manifest_) ? state_.known.code.size() : 0);
    const KeptMap::OnMetric metric{basis.log, basis, map_.choice.metric};
    const bool new_metric = !(kept_.figures.basis() == metric);
    if (kept_.grid != grid + text(others()) || new_metric) {
      kept_.grid = grid + text(others());
      make_grid();
    }
    if (kept_.others_of != grid || new_metric) {
      kept_.others_of = grid;
      list_others();
    }
    kept_.cell_of.rest_on({basis.log, kept_.grid});
    kept_.figures.rest_on(metric);
    kept_.dots.rest_on(basis);
  }

  void make_grid() {
    kept_.cells.clear();
    const Parameters given = others();
    for (std::size_t row = 0; row < rows(); ++row) {
      for (std::size_t column = 0; column < map_.across.values.size(); ++column) {
        EmptyCell cell;
        cell.place = place_at(given, column, row);
        cell.why_not = why_illegal(manifest_, cell.place).value_or("");
        cell.legal = cell.why_not.empty();
        kept_.cells.push_back(std::move(cell));
      }
    }
  }

  void list_others() {
    kept_.others.clear();
    kept_.bests.assign(kept_.cells.size(), {});
    const auto is_other = [&](const Parameter& parameter) {
      return !parameter.is_of_problem() && !is_axis(parameter.name);
    };
    const double predictions = combination_count(manifest_, is_other) * static_cast<double>(kept_.cells.size());
    if (!map_.choice.best_over_others || predictions > most_predictions) {
      return;
    }
    kept_.others = {others()};
    for (const Parameter& parameter : manifest_.parameters) {
      if (is_other(parameter)) {
        kept_.others = extended(kept_.others, parameter.name, parameter.values);
      }
    }
  }

  std::size_t rows() const { return std::max<std::size_t>(map_.down.values.size(), 1); }

  Parameters place_at(Parameters given, std::size_t column, std::size_t row) const {
    given[across()] = map_.across.values[column];
    if (!down().empty()) {
      given[down()] = map_.down.values[row];
    }
    return complete(manifest_, given);
  }

  void make_cells() {
    for (const EmptyCell& empty : kept_.cells) {
      MapCell& cell = map_.cells.emplace_back();
      cell.place = empty.place;
      cell.why_not = empty.why_not;
      cell.present = empty.place.at(across()) == present_.at(across()) &&
                     (down().empty() || empty.place.at(down()) == present_.at(down()));
    }
  }

  // The work must be the same, and the other dials too unless the best over them is wanted.
  bool is_comparable(const Parameters& values) const {
    return std::ranges::all_of(manifest_.parameters, [&](const Parameter& parameter) {
      const bool is_free =
          is_axis(parameter.name) || (map_.choice.best_over_others && !parameter.is_of_problem());
      const auto value = values.find(parameter.name);
      return value != values.end() && (is_free || value->second == present_.at(parameter.name));
    });
  }

  std::optional<std::size_t> cell_of(const Point& point) const {
    const Parameters values = complete(manifest_, point.parameters);
    if (!is_comparable(values)) {
      return {};
    }
    const auto position = [&](const MapAxis& axis) {
      return static_cast<std::size_t>(std::ranges::find(axis.values, values.at(axis.parameter)) -
                                      axis.values.begin());
    };
    const std::size_t column = position(map_.across), row = down().empty() ? 0 : position(map_.down);
    const std::size_t columns = map_.across.values.size();
    return column < columns && row < rows() ? std::optional(row * columns + column) : std::nullopt;
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

  const Point* launch_at(const Parameters& place) const {
    const auto id =
        state_.known.recordings.find(state_.choice.gpu, state_.choice.kernel, state_.choice.caches, place);
    return id ? launch_of(*id) : nullptr;
  }

  void take_launches() {
    std::vector<const Point*> fastest(map_.cells.size());
    over_model_.assign(map_.cells.size(), {});
    for (const std::uint64_t id : launches()) {
      const Point* launch = launch_of(id);
      const auto cell =
          launch ? kept_.cell_of.of(*launch, [&](const Point& each) { return cell_of(each); }) : std::nullopt;
      if (cell && (!fastest[*cell] || launch->timing->median < fastest[*cell]->timing->median)) {
        fastest[*cell] = launch;
      }
    }
    for (std::size_t i = 0; i < fastest.size(); ++i) {
      if (fastest[i]) {
        map_.cells[i].launch = fastest[i]->id;
        const auto& figures =
            kept_.figures.of(*fastest[i], [&](const Point& launch) { return figures_of(launch); });
        fill(map_.cells[i], figures);
        over_model_[i] = figures.over_model;
      }
    }
    const auto here = launch_at(present_);
    over_model_here_ = here && is_of_time() ? against_model(*here) : std::nullopt;
  }

  CellFigures figures_of(const Point& point) const {
    const auto placement = place(point, roofs_, state_.view.bytes);
    return {.place = complete(manifest_, point.parameters),
            .time = placement ? std::optional(placement->time) : std::nullopt,
            .value = map_.choice.metric == MapMetric::against_model
                         ? against_model(point)
                         : figure_of(map_.choice.metric, point, placement, gpu(state_)),
            .over_model = is_of_time() ? against_model(point) : std::nullopt,
            .has_flops = placement && placement->performance,
            .facts = cell_facts(manifest_, point, placement)};
  }

  void fill(MapCell& cell, const CellFigures& figures) {
    cell.place = figures.place;
    cell.time = figures.time;
    cell.value = figures.value;
    cell.facts = figures.facts;
    has_flops_ |= figures.has_flops;
    largest_ = std::max(largest_, figures.value.value_or(0));
  }

  // Measured over predicted: 2 is half as fast as the model says.
  std::optional<double> against_model(const Point& point) const {
    const auto model_says =
        point.timing ? ghost_at(state_, roofs_, complete(manifest_, point.parameters)) : std::nullopt;
    return model_says && model_says->placement && !model_says->point.modelled.time_is_least
               ? std::optional(point.timing->median / model_says->placement->time)
               : std::nullopt;
  }

  // The model fills the cells where nothing was measured.
  void predict_the_rest() {
    const Gpu* device = gpu(state_);
    for (std::size_t i = 0; device && i < map_.cells.size(); ++i) {
      if (!map_.cells[i].launch) {
        predict_as_dialled(kept_.cells[i], *device);
        predict_over_others(i);
        show_prediction(i);
      }
    }
  }

  void predict_as_dialled(EmptyCell& cell, const Gpu& device) const {
    if (!cell.legal) {
      return;
    }
    const auto compiled = compiled_before(state_, cell.place, device);
    if (!std::exchange(cell.asked, true) || cell.compiled != compiled) {
      cell.compiled = compiled;
      const auto model_says = ghost_at(state_, roofs_, cell.place);
      cell.why_not = model_says ? why_not_predicted(model_says->point).value_or("") : "";
      cell.predicted = is_unread(cell.place) ? unread(cell.place) : predicted(model_says);
    }
  }

  // Some of them at a time, so that no frame waits for them all.
  void predict_over_others(std::size_t at) {
    BestOfOthers& best = kept_.bests[at];
    for (; best.asked < kept_.others.size() && predictions_left_ > 0; --predictions_left_) {
      const auto there = predicted(ghost_at(state_, roofs_, beside_axes(at, kept_.others[best.asked++])));
      if (is_faster(there, best.figures) && !why_wrong(there->place)) {
        best.figures = there;
      }
    }
    map_.unfinished |= best.asked < kept_.others.size();
  }

  Parameters beside_axes(std::size_t at, const Parameters& others) const {
    const std::size_t columns = map_.across.values.size();
    return place_at(others, at % columns, at / columns);
  }

  bool is_unread(const Parameters& place) const {
    return is_read_from_code(manifest_) && !code_at(state_, place);
  }

  // Without a time, for what is known is a bound.
  CellFigures unread(const Parameters& place) const {
    return {.place = place,
            .time = {},
            .value = {},
            .over_model = {},
            .has_flops = false,
            .facts = {why_no_code(state_, place)}};
  }

  std::optional<CellFigures> predicted(const std::optional<Ghost>& model_says) const {
    return model_says && !why_not_predicted(model_says->point) && !is_unread(model_says->point.parameters)
               ? std::optional(figures_of(model_says->point))
               : std::nullopt;
  }

  static bool is_faster(const std::optional<CellFigures>& a, const std::optional<CellFigures>& b) {
    return a && a->time && (!b || !b->time || *a->time < *b->time);
  }

  void show_prediction(std::size_t at) {
    const EmptyCell& empty = kept_.cells[at];
    MapCell& cell = map_.cells[at];
    cell.why_not = empty.why_not;
    if (const auto wrong = why_wrong(empty.place)) {
      cell.why_not = *wrong;
      return;
    }
    const auto& over_others = kept_.bests[at].figures;
    if (const auto& best = is_faster(over_others, empty.predicted) ? over_others : empty.predicted) {
      cell.why_not.clear();
      fill(cell, *best);
      cell.predicted = true;
      correct(at);
    }
  }

  // A launch was made there whose result is wrong.
  std::optional<std::string> why_wrong(const Parameters& place) const {
    const Point* launch = launch_at(place);
    return launch && launch->wrong() ? std::optional("The result is wrong. " + launch->verification->sentence)
                                     : std::nullopt;
  }

  // The model errs alike at places near to each other. Where one move of the dials leads, it is corrected as
  // the advice corrects it: by the launch that stands at the dials now.
  void correct(std::size_t at) {
    MapCell& cell = map_.cells[at];
    const auto correction = correction_at(at);
    if (!correction || !cell.time || !cell.value || !is_of_time()) {
      return;
    }
    const double factor = correction->over_model;
    const bool is_rate = map_.choice.metric == MapMetric::rate;
    *cell.value *= is_rate ? 1 / factor : factor;
    largest_ = std::max(largest_, *cell.value);
    const std::string by_model = text(*cell.time);
    cell.time = factor * *cell.time;
    cell.facts = correction_facts(manifest_, cell, by_model, correction->place, factor);
  }

  struct Correction {
    Parameters place;
    double over_model;
  };

  std::optional<Correction> correction_at(std::size_t at) const {
    if (over_model_here_ && is_a_move(map_.cells[at].place)) {
      return Correction{present_, *over_model_here_};
    }
    const auto nearest = nearest_launch(at);
    return nearest ? std::optional(Correction{map_.cells[*nearest].place, *over_model_[*nearest]})
                   : std::nullopt;
  }

  bool is_a_move(const Parameters& place) const {
    const std::size_t moved = moved_dials(manifest_, present_, place).size();
    return moved == 1 || (moved == 2 && rooftile::steps_between(manifest_, present_, place) == 2);
  }

  std::optional<std::size_t> nearest_launch(std::size_t at) const {
    std::optional<std::size_t> nearest;
    for (std::size_t i = 0; i < over_model_.size(); ++i) {
      if (over_model_[i] && (!nearest || steps_between(i, at) < steps_between(*nearest, at))) {
        nearest = i;
      }
    }
    return nearest;
  }

  std::size_t steps_between(std::size_t a, std::size_t b) const {
    const std::size_t columns = map_.across.values.size();
    const auto apart = [](std::size_t x, std::size_t y) { return x < y ? y - x : x - y; };
    return apart(a % columns, b % columns) + apart(a / columns, b / columns);
  }

  bool is_of_time() const {
    return map_.choice.metric == MapMetric::time || map_.choice.metric == MapMetric::rate;
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
  const Manifest& manifest_;
  const Parameters present_;
  double largest_ = 0;
  bool has_flops_ = false;
  int predictions_left_ = predictions_at_once;
  std::vector<std::optional<double>> over_model_;  // measured over predicted time of each cell's launch
  std::optional<double> over_model_here_;          // and of the launch at the dials
  Landscape map_;
};

std::string what_the_map_depends_on(const AppState& state) {
  const MapChoice choice = map_choice(state);
  return fmt::format("{} {} {} {} | {} {} {} {} {} | {} {} {} {}", state.choice.gpu, state.choice.kernel,
                     static_cast<int>(state.choice.caches), text(dialled(state)), choice.across, choice.down,
                     static_cast<int>(choice.metric), choice.best_over_others, choice.scatter,
                     static_cast<const void*>(state.known.session.log.get()),
                     state.known.session.log->points.revision(), state.known.code.size(),
                     static_cast<int>(state.view.bytes));
}

}  // namespace

Landscape landscape(const AppState& state, const Roofs& roofs, KeptMap& kept, Landscape before) {
  const std::string from = what_the_map_depends_on(state);
  if (before.from == from && before.roofs == roofs && !before.unfinished) {
    return before;
  }
  Landscape map = Mapping(state, roofs, kept).draw();
  map.from = from;
  map.roofs = roofs;
  return map;
}

}  // namespace rooftile::scene
