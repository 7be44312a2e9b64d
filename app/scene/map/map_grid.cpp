#include "app/scene/map/map_grid.hpp"

#include <algorithm>
#include <utility>

#include "analysis/manifest/combinations.hpp"
#include "analysis/model/model.hpp"

namespace rooftile::scene {

MapGrid::MapGrid(const Manifest& manifest, const Parameters& present, const MapChoice& choice)
    : manifest_(manifest), present_(present), over_others_(choice.best_over_others) {
  across_ = axis(*manifest.parameter(choice.across));
  if (const Parameter* down = manifest.parameter(choice.down)) {
    down_ = axis(*down);
  }
}

MapAxis MapGrid::axis(const Parameter& parameter) const {
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

bool MapGrid::is_present(const Parameters& place) const {
  const auto is_same = [&](const std::string& dial) {
    return dial.empty() || place.at(dial) == present_.at(dial);
  };
  return is_same(across_.parameter) && is_same(down_.parameter);
}

Parameters MapGrid::held_dials() const {
  Parameters given = given_of(manifest_, present_);
  given.erase(across_.parameter);
  given.erase(down_.parameter);
  return given;
}

Parameters MapGrid::place_of(std::size_t cell, Parameters others) const {
  others[across_.parameter] = across_.values[cell % columns()];
  if (!down_.values.empty()) {
    others[down_.parameter] = down_.values[cell / columns()];
  }
  return complete(manifest_, others);
}

std::vector<EmptyCell> MapGrid::empty_cells() const {
  std::vector<EmptyCell> cells(size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i].place = place_of(i, held_dials());
    cells[i].why_not = why_illegal(manifest_, cells[i].place).value_or("");
    cells[i].legal = cells[i].why_not.empty();
  }
  return cells;
}

std::vector<Parameters> MapGrid::every_other(double most_places) const {
  const auto is_other = [&](const Parameter& parameter) {
    return !parameter.is_of_problem() && !is_axis(parameter.name);
  };
  if (combination_count(manifest_, is_other) * static_cast<double>(size()) > most_places) {
    return {};
  }
  std::vector<Parameters> others = {held_dials()};
  for (const Parameter& parameter : manifest_.parameters) {
    if (is_other(parameter)) {
      others = extended(others, parameter.name, parameter.values);
    }
  }
  return others;
}

bool MapGrid::is_comparable(const Parameters& values) const {
  return std::ranges::all_of(manifest_.parameters, [&](const Parameter& parameter) {
    const bool is_free = is_axis(parameter.name) || (over_others_ && !parameter.is_of_problem());
    const auto value = values.find(parameter.name);
    return value != values.end() && (is_free || value->second == present_.at(parameter.name));
  });
}

std::optional<std::size_t> MapGrid::cell_of(const Point& launch) const {
  const Parameters values = complete(manifest_, launch.parameters);
  if (!is_comparable(values)) {
    return {};
  }
  const auto position = [&](const MapAxis& axis) {
    return static_cast<std::size_t>(std::ranges::find(axis.values, values.at(axis.parameter)) -
                                    axis.values.begin());
  };
  const std::size_t column = position(across_), row = down_.values.empty() ? 0 : position(down_);
  return column < columns() && row < rows() ? std::optional(row * columns() + column) : std::nullopt;
}

std::size_t MapGrid::steps_between(std::size_t a, std::size_t b) const {
  const auto apart = [](std::size_t x, std::size_t y) { return x < y ? y - x : x - y; };
  return apart(a % columns(), b % columns()) + apart(a / columns(), b / columns());
}

}  // namespace rooftile::scene
