#include "app/scene/map/map_correction.hpp"

#include "analysis/manifest/neighbours.hpp"
#include "analysis/text/format.hpp"
#include "app/scene/map/cell_figures.hpp"
#include "app/scene/map/landscape_words.hpp"

namespace rooftile::scene {

MapCorrection::MapCorrection(const AppState& state, const Roofs& roofs, const MapGrid& grid,
                             const std::vector<std::optional<double>>& over_model)
    : grid_(grid), manifest_(kernel(state)), over_model_(over_model), present_(dialled(state)) {
  const Point* here = launch_at(state, present_);
  over_model_here_ = here ? against_model(state, roofs, *here) : std::nullopt;
}

void MapCorrection::correct(std::size_t at, Landscape& map) const {
  MapCell& cell = map.cells[at];
  const auto factor = factor_at(at, map);
  if (!factor || !cell.time || !cell.value) {
    return;
  }
  const double over_model = factor->over_model;
  *cell.value *= map.choice.metric == MapMetric::rate ? 1 / over_model : over_model;
  const std::string by_model = text(*cell.time);
  cell.time = over_model * *cell.time;
  cell.facts = correction_facts(manifest_, cell, by_model, factor->place, over_model);
}

// The launch that stands at the dials corrects the places that one move leads to, as in the advice.
std::optional<MapCorrection::Factor> MapCorrection::factor_at(std::size_t at, const Landscape& map) const {
  if (over_model_here_ && is_a_move(map.cells[at].place)) {
    return Factor{present_, *over_model_here_};
  }
  const auto nearest = nearest_launch(at);
  return nearest ? std::optional(Factor{map.cells[*nearest].place, *over_model_[*nearest]}) : std::nullopt;
}

bool MapCorrection::is_a_move(const Parameters& place) const {
  const std::size_t moved = moved_dials(manifest_, present_, place).size();
  return moved == 1 || (moved == 2 && rooftile::steps_between(manifest_, present_, place) == 2);
}

std::optional<std::size_t> MapCorrection::nearest_launch(std::size_t at) const {
  std::optional<std::size_t> nearest;
  for (std::size_t i = 0; i < over_model_.size(); ++i) {
    if (over_model_[i] && (!nearest || grid_.steps_between(i, at) < grid_.steps_between(*nearest, at))) {
      nearest = i;
    }
  }
  return nearest;
}

}  // namespace rooftile::scene
