#include "app/scene/landscape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/diagnosis.hpp"
#include "analysis/format.hpp"
#include "app/scene/chart.hpp"
#include "app/scene/chart_rows.hpp"
#include "app/scene/wording.hpp"

namespace rooftile::scene {
namespace {

constexpr double least_noise = 0.01, many = 3;

// A metric's value in the unit of the map.
struct Unit {
  double factor = 1;
  std::string name;
};

Unit unit_of(MapMetric metric, double largest, bool has_flops) {
  constexpr double milli = 1e-3, giga = 1e9;
  switch (metric) {
    case MapMetric::time:
      return largest < milli ? Unit{1e6, "\u00b5s"} : Unit{1e3, "ms"};
    case MapMetric::rate:
      return has_flops ? Unit{1e-12, "TFLOP/s"} : Unit{1e-9, "GB/s of DRAM"};
    case MapMetric::share:
    case MapMetric::occupancy:
    case MapMetric::achieved:
      return {100, "%"};
    case MapMetric::dram:
    case MapMetric::l2:
      return largest < giga ? Unit{1e-6, "MB"} : Unit{1e-9, "GB"};
    case MapMetric::against_model:
      return {1, "x"};
    case MapMetric::registers:
    case MapMetric::conflicts:
      break;
  }
  return {};
}

bool less_is_better(MapMetric metric) {
  return metric == MapMetric::time || metric == MapMetric::registers || metric == MapMetric::conflicts ||
         metric == MapMetric::dram || metric == MapMetric::l2 || metric == MapMetric::against_model;
}

// Wavefronts beyond the ideal for each ideal one.
std::optional<double> conflicts_of(const Counters& counters) {
  if (!counters.shared_wavefronts || !counters.shared_conflicts) {
    return {};
  }
  const double ideal = *counters.shared_wavefronts - *counters.shared_conflicts;
  return ideal > 0 ? std::optional(*counters.shared_conflicts / ideal) : std::nullopt;
}

std::optional<double> bytes_of(const Point& point, MemoryLevel level) {
  const auto bytes = point.counters ? point.counters->bytes(level) : std::nullopt;
  return bytes ? std::optional(bytes->value) : std::nullopt;
}

std::optional<double> value_of(MapMetric metric, const Point& point, const std::optional<Placement>& placement,
                               const Gpu* gpu) {
  switch (metric) {
    case MapMetric::time:
      return placement ? std::optional(placement->time.value) : std::nullopt;
    case MapMetric::rate:
      return placement ? rate_of(*placement) : std::nullopt;
    case MapMetric::share:
      return placement ? placement->largest_share() : std::nullopt;
    case MapMetric::occupancy: {
      const auto occupancy = gpu ? occupancy_of(point, gpu->sm) : std::nullopt;
      return occupancy ? std::optional(occupancy->ratio()) : std::nullopt;
    }
    case MapMetric::achieved:
      return point.counters ? point.counters->achieved_occupancy : std::nullopt;
    case MapMetric::registers:
      return point.compiled ? std::optional<double>(point.compiled->registers) : std::nullopt;
    case MapMetric::conflicts:
      return point.counters ? conflicts_of(*point.counters) : std::nullopt;
    case MapMetric::dram:
      return bytes_of(point, MemoryLevel::dram);
    case MapMetric::l2:
      return bytes_of(point, MemoryLevel::l2);
    case MapMetric::against_model:
      break;  // the model is asked for each place
  }
  return {};
}

// Three digits without a unit: it stands at the scale.
std::string short_number(double value) {
  const double size = std::abs(value);
  return size >= 100 ? count(std::round(value)) : fmt::format("{:.{}f}", value, size >= 10 ? 1 : 2);
}

class Mapping {
 public:
  Mapping(const AppState& state, const Roofs& roofs)
      : state_(state), roofs_(roofs), manifest_(kernel(state)), present_(dialled(state)) {}

  Landscape draw() {
    map_.choice = map_choice(state_);
    const Parameter* across = manifest_.parameter(map_.choice.across);
    if (!across) {
      return std::move(map_);
    }
    across_ = axis(*across);
    if (const Parameter* down = manifest_.parameter(map_.choice.down)) {
      down_ = axis(*down);
    }
    map_.across = across_;
    map_.down = down_;
    make_cells();
    take_launches();
    fill_cells();
    mark_best();
    if (map_.choice.scatter) {
      scatter();
    }
    return std::move(map_);
  }

 private:
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

  Parameters place_at(std::size_t column, std::size_t row) const {
    Parameters given = given_of(manifest_, present_);
    given[across_.parameter] = across_.values[column];
    if (!down_.parameter.empty()) {
      given[down_.parameter] = down_.values[row];
    }
    return complete(manifest_, given);
  }

  void make_cells() {
    for (std::size_t row = 0; row < std::max<std::size_t>(down_.values.size(), 1); ++row) {
      for (std::size_t column = 0; column < across_.values.size(); ++column) {
        MapCell cell;
        cell.place = place_at(column, row);
        cell.present = is_at(cell.place, present_);
        if (const auto reason = why_illegal(manifest_, cell.place)) {
          cell.why_not = *reason;
        }
        map_.cells.push_back(std::move(cell));
      }
    }
  }

  bool is_at(const Parameters& a, const Parameters& b) const {
    return a.at(across_.parameter) == b.at(across_.parameter) &&
           (down_.parameter.empty() || a.at(down_.parameter) == b.at(down_.parameter));
  }

  // The work is the same; unless the best over the other dials is wanted, they are too.
  bool is_comparable(const Parameters& values) const {
    return std::ranges::all_of(manifest_.parameters, [&](const Parameter& parameter) {
      const bool is_axis = parameter.name == across_.parameter || parameter.name == down_.parameter;
      const bool is_free = is_axis || (map_.choice.best_over_others && !parameter.is_of_problem());
      const auto value = values.find(parameter.name);
      return value != values.end() && (is_free || value->second == present_.at(parameter.name));
    });
  }

  void take_launches() {
    state_.recordings.each(state_.choice.gpu, state_.choice.kernel, state_.choice.caches,
                           [&](const Parameters& values, std::uint64_t id) {
                             const Point* point = state_.session.log->points.find(id);
                             if (point && is_comparable(values)) {
                               take(values, *point);
                             }
                           });
  }

  void take(const Parameters& values, const Point& point) {
    const auto column =
        std::ranges::find(across_.values, values.at(across_.parameter)) - across_.values.begin();
    const auto row = down_.parameter.empty()
                         ? 0
                         : std::ranges::find(down_.values, values.at(down_.parameter)) - down_.values.begin();
    const auto columns = static_cast<std::ptrdiff_t>(across_.values.size());
    const auto rows = static_cast<std::ptrdiff_t>(std::max<std::size_t>(down_.values.size(), 1));
    if (column == columns || row == rows) {
      return;
    }
    MapCell* cell = &map_.cells[static_cast<std::size_t>(row * columns + column)];
    const Point* before = cell->launch ? state_.session.log->points.find(*cell->launch) : nullptr;
    if (!before || point.timing->median < before->timing->median) {
      cell->launch = point.id;
      cell->place = values;
    }
  }

  void fill_cells() {
    for (MapCell& cell : map_.cells) {
      if (cell.launch) {
        fill(cell, *state_.session.log->points.find(*cell.launch));
      } else if (cell.why_not.empty()) {
        predict_cell(cell);
      }
    }
    scale(unit_of(map_.choice.metric, largest_, has_flops_));
  }

  void fill(MapCell& cell, const Point& point) {
    const auto placement = place(point, roofs_, state_.view.bytes);
    has_flops_ |= placement && placement->performance;
    cell.time = placement ? std::optional(placement->time) : std::nullopt;
    cell.value = map_.choice.metric == MapMetric::against_model
                     ? against_model(point)
                     : value_of(map_.choice.metric, point, placement, gpu(state_));
    cell.facts = facts_of(point, placement);
    largest_ = std::max(largest_, cell.value.value_or(0));
  }

  // Measured over predicted: 2 is half as fast as the model says.
  std::optional<double> against_model(const Point& point) const {
    const auto model_says =
        point.timing ? ghost_at(state_, roofs_, complete(manifest_, point.parameters)) : std::nullopt;
    return model_says && model_says->placement
               ? std::optional(point.timing->median / model_says->placement->time)
               : std::nullopt;
  }

  // Every launch of the same work, whatever its dials.
  void scatter() {
    const Unit unit = unit_of(MapMetric::rate, 0, has_flops_);
    map_.scatter_unit = unit.name;
    state_.recordings.each(state_.choice.gpu, state_.choice.kernel, state_.choice.caches,
                           [&](const Parameters& values, std::uint64_t id) {
                             const Point* point = state_.session.log->points.find(id);
                             if (point && is_same_work(values)) {
                               scatter(*point, unit);
                             }
                           });
    const auto best = std::ranges::max_element(map_.scatter, {}, &ScatterDot::rate);
    if (best != map_.scatter.end()) {
      best->best = true;
    }
  }

  void scatter(const Point& point, const Unit& unit) {
    const auto placement = place(point, roofs_, state_.view.bytes);
    const auto rate = placement ? rate_of(*placement) : std::nullopt;
    const auto achieved = value_of(MapMetric::achieved, point, placement, gpu(state_));
    const auto occupancy = achieved ? achieved : value_of(MapMetric::occupancy, point, placement, gpu(state_));
    if (rate && occupancy) {
      map_.scatter.push_back({point.id, *occupancy, *rate * unit.factor, false});
    }
  }

  bool is_same_work(const Parameters& values) const {
    return std::ranges::all_of(manifest_.parameters, [&](const Parameter& parameter) {
      const auto value = values.find(parameter.name);
      return !parameter.is_of_problem() ||
             (value != values.end() && value->second == present_.at(parameter.name));
    });
  }

  // By the model, where nothing was measured.
  void predict_cell(MapCell& cell) {
    const auto model_says = ghost_at(state_, roofs_, cell.place);
    if (!model_says) {
      return;
    }
    if (model_says->point.failure) {
      cell.why_not = *model_says->point.failure;
      return;
    }
    fill(cell, model_says->point);
    cell.predicted = true;
  }

  void scale(const Unit& unit) {
    map_.unit = unit.name;
    map_.less_is_better = less_is_better(map_.choice.metric);
    for (MapCell& cell : map_.cells) {
      if (cell.value) {
        *cell.value *= unit.factor;
        cell.text = short_number(*cell.value);
        map_.lowest = std::min(map_.lowest.value_or(*cell.value), *cell.value);
        map_.highest = std::max(map_.highest.value_or(*cell.value), *cell.value);
      }
    }
    map_.by_ratios = map_.lowest && *map_.lowest > 0 && *map_.highest > many * *map_.lowest;
  }

  std::vector<std::string> facts_of(const Point& point, const std::optional<Placement>& placement) const {
    std::vector<std::string> facts = {dials_of(point.parameters)};
    if (placement) {
      facts.push_back((point.timing ? "" : "predicted ") + text(placement->time));
    }
    if (placement && placement->performance) {
      facts.back() += "   " + text(*placement->performance);
    }
    return facts;
  }

  std::string dials_of(const Parameters& values) const {
    std::set<std::string> names;
    for (const Parameter& parameter : manifest_.parameters) {
      if (!parameter.is_of_problem()) {
        names.insert(parameter.name);
      }
    }
    return dials_text(manifest_, complete(manifest_, values), names);
  }

  // Of what was measured; where nothing was, of what is predicted.
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

  double spread_of(const MapCell& cell) const {
    return cell.launch ? state_.session.log->points.find(*cell.launch)->timing->spread() : 0;
  }

  bool is_near(const MapCell& cell, const MapCell& best) const {
    const double noise = std::max({least_noise, spread_of(cell), spread_of(best)});
    return cell.launch && best.launch && cell.time && *cell.time / *best.time <= 1 + noise;
  }

  void mark_best() {
    MapCell* best = fastest();
    for (MapCell& cell : map_.cells) {
      cell.best = &cell == best;
      cell.within_noise = best && !cell.best && is_near(cell, *best);
    }
    map_.summary = best ? best_text(*best) + " " + places_text() : places_text();
  }

  std::string best_text(const MapCell& best) const {
    const std::string place = text(*best.time) + ": " + dials_of(best.place);
    if (!best.launch) {
      return "Best predicted " + place + ".";
    }
    const auto near = std::ranges::count(map_.cells, true, &MapCell::within_noise);
    return fmt::format(
        "Best {}; {}.", place,
        near > 0 ? fmt::format("{} other{} within noise", near, near == 1 ? "" : "s") : "none as fast");
  }

  std::string places_text() const {
    const auto measured =
        std::ranges::count_if(map_.cells, [](const MapCell& cell) { return cell.launch.has_value(); });
    const auto predicted = std::ranges::count(map_.cells, true, &MapCell::predicted);
    const auto legal = std::ranges::count_if(
        map_.cells, [](const MapCell& cell) { return cell.launch || cell.why_not.empty(); });
    const std::string words =
        fmt::format("{} of {} legal place{} measured", measured, legal, legal == 1 ? "" : "s");
    return predicted > 0 ? fmt::format("{}, {} predicted (hollow).", words, predicted) : words + ".";
  }

  const AppState& state_;
  const Roofs& roofs_;
  const Manifest& manifest_;
  const Parameters present_;
  MapAxis across_, down_;
  double largest_ = 0;
  bool has_flops_ = false;
  Landscape map_;
};

std::string what_the_map_depends_on(const AppState& state) {
  const MapChoice choice = map_choice(state);
  return fmt::format("{} {} {} {} | {} {} {} {} {} | {} {} {}", state.choice.gpu, state.choice.kernel,
                     static_cast<int>(state.choice.caches), text(dialled(state)), choice.across, choice.down,
                     static_cast<int>(choice.metric), choice.best_over_others, choice.scatter,
                     static_cast<const void*>(state.session.log.get()), state.session.log->points.revision(),
                     static_cast<int>(state.view.bytes));
}

}  // namespace

std::string_view title(MapMetric metric) {
  constexpr std::array<std::string_view, map_metrics.size()> titles = {"time",
                                                                       "rate",
                                                                       "share of the nearest roof",
                                                                       "theoretical occupancy",
                                                                       "achieved occupancy",
                                                                       "registers",
                                                                       "conflicts",
                                                                       "bytes at DRAM",
                                                                       "bytes at L2",
                                                                       "measured / predicted"};
  return titles[static_cast<std::size_t>(metric)];
}

MapChoice map_choice(const AppState& state) {
  MapChoice choice = state.view.map;
  const Manifest& manifest = kernel(state);
  const auto is_dial = [&](const std::string& name) { return manifest.parameter(name) != nullptr; };
  if (is_dial(choice.across) && is_dial(choice.down) && choice.across != choice.down) {
    return choice;
  }
  std::vector<const Parameter*> dials;
  for (const Parameter& parameter : manifest.parameters) {
    if (!parameter.is_of_problem() && parameter.values.size() > 1) {
      dials.push_back(&parameter);
    }
  }
  choice.across = choice.down = "";
  if (dials.size() == 1) {
    choice.across = dials.front()->name;
  } else if (!dials.empty()) {
    const auto values = [](const Parameter* parameter) { return parameter->values.size(); };
    choice.down = dials.front()->name;
    choice.across = (*std::ranges::max_element(dials.begin() + 1, dials.end(), {}, values))->name;
  }
  return choice;
}

Landscape landscape(const AppState& state, const Roofs& roofs, Landscape before) {
  const std::string from = what_the_map_depends_on(state);
  if (before.from == from && before.roofs == roofs) {
    return before;
  }
  Landscape map = Mapping(state, roofs).draw();
  map.from = from;
  map.roofs = roofs;
  return map;
}

}  // namespace rooftile::scene
