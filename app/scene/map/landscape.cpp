#include "app/scene/map/landscape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "analysis/advice/noise.hpp"
#include "analysis/text/format.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/chart/chart_rows.hpp"
#include "app/scene/map/landscape_words.hpp"
#include "app/scene/map/map_choice.hpp"
#include "app/scene/map/map_metric.hpp"

namespace rooftile::scene {
namespace {

constexpr double many = 3;

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
    const std::string grid =
        fmt::format("{} {} {} | {} {} {} | {} {}", state_.choice.kernel, state_.choice.gpu,
                    static_cast<int>(state_.choice.caches), across(), down(), text(others()),
                    fmt::join(map_.across.values, " "), fmt::join(map_.down.values, " "));
    const KeptMap::OnMetric metric{basis.log, basis, map_.choice.metric};
    if (kept_.grid != grid || !(kept_.figures.basis() == metric)) {
      kept_.grid = grid;
      make_grid();
    }
    kept_.cell_of.rest_on({basis.log, fmt::format("{} {} {}", grid, map_.choice.best_over_others,
                                                  text(problem_of(manifest_, present_)))});
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
        kept_.cells.push_back(std::move(cell));
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
    return model_says && model_says->placement
               ? std::optional(point.timing->median / model_says->placement->time)
               : std::nullopt;
  }

  // The model fills the places where nothing was measured.
  void predict_the_rest() {
    const Gpu* device = gpu(state_);
    for (std::size_t i = 0; device && i < map_.cells.size(); ++i) {
      EmptyCell& empty = kept_.cells[i];
      if (map_.cells[i].launch || !empty.why_not.empty()) {
        continue;
      }
      const auto compiled = compiled_before(state_, empty.place, *device);
      if (!empty.predicted || empty.compiled != compiled) {
        empty.compiled = compiled;
        predict(empty);
      }
      map_.cells[i].why_not = empty.why_not;
      if (const auto wrong = why_wrong(empty.place)) {
        map_.cells[i].why_not = *wrong;
        continue;
      }
      fill(map_.cells[i], *empty.predicted);
      map_.cells[i].predicted = empty.why_not.empty();
      correct(i);
    }
  }

  // A launch was made there whose result is wrong.
  std::optional<std::string> why_wrong(const Parameters& place) const {
    const auto id =
        state_.known.recordings.find(state_.choice.gpu, state_.choice.kernel, state_.choice.caches, place);
    const Point* launch = id ? launch_of(*id) : nullptr;
    return launch && launch->wrong() ? std::optional("The result is wrong. " + launch->verification->sentence)
                                     : std::nullopt;
  }

  // The model errs alike at places near to each other.
  void correct(std::size_t at) {
    MapCell& cell = map_.cells[at];
    const auto nearest = nearest_launch(at);
    if (!nearest || !cell.predicted || !cell.time || !cell.value || !is_of_time()) {
      return;
    }
    const double factor = *over_model_[*nearest];
    const bool is_rate = map_.choice.metric == MapMetric::rate;
    *cell.value *= is_rate ? 1 / factor : factor;
    largest_ = std::max(largest_, *cell.value);
    const std::string by_model = text(*cell.time);
    cell.time = factor * *cell.time;
    cell.facts = correction_facts(manifest_, cell, by_model, map_.cells[*nearest], factor);
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

  void predict(EmptyCell& cell) const {
    cell.predicted = CellFigures{
        .place = cell.place, .time = {}, .value = {}, .over_model = {}, .has_flops = false, .facts = {}};
    const auto model_says = ghost_at(state_, roofs_, cell.place);
    const auto why_not = model_says ? why_not_predicted(model_says->point) : std::nullopt;
    if (why_not) {
      cell.why_not = *why_not;
    } else if (model_says) {
      cell.predicted = figures_of(model_says->point);
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
  const Manifest& manifest_;
  const Parameters present_;
  double largest_ = 0;
  bool has_flops_ = false;
  std::vector<std::optional<double>> over_model_;  // of each cell's launch
  Landscape map_;
};

std::string what_the_map_depends_on(const AppState& state) {
  const MapChoice choice = map_choice(state);
  return fmt::format("{} {} {} {} | {} {} {} {} {} | {} {} {}", state.choice.gpu, state.choice.kernel,
                     static_cast<int>(state.choice.caches), text(dialled(state)), choice.across, choice.down,
                     static_cast<int>(choice.metric), choice.best_over_others, choice.scatter,
                     static_cast<const void*>(state.known.session.log.get()),
                     state.known.session.log->points.revision(), static_cast<int>(state.view.bytes));
}

}  // namespace

Landscape landscape(const AppState& state, const Roofs& roofs, KeptMap& kept, Landscape before) {
  const std::string from = what_the_map_depends_on(state);
  if (before.from == from && before.roofs == roofs) {
    return before;
  }
  Landscape map = Mapping(state, roofs, kept).draw();
  map.from = from;
  map.roofs = roofs;
  return map;
}

}  // namespace rooftile::scene
