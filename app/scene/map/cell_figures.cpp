#include "app/scene/map/cell_figures.hpp"

#include "app/scene/chart/chart.hpp"
#include "app/scene/map/landscape_words.hpp"
#include "app/scene/map/map_metric.hpp"

namespace rooftile::scene {

CellFigures figures_of(const AppState& state, const Roofs& roofs, MapMetric metric, const Point& point) {
  const Manifest& manifest = kernel(state);
  const auto placement = place(point, roofs, state.view.bytes);
  const bool is_against_model = metric == MapMetric::against_model;
  const auto over_model =
      is_against_model || is_of_time(metric) ? against_model(state, roofs, point) : std::nullopt;
  return {.place = complete(manifest, point.parameters),
          .time = placement ? std::optional(placement->time) : std::nullopt,
          .value = is_against_model ? over_model : figure_of(metric, point, placement, gpu(state)),
          .over_model = is_of_time(metric) ? over_model : std::nullopt,
          .has_flops = placement && placement->performance,
          .facts = cell_facts(manifest, point, placement)};
}

std::optional<double> against_model(const AppState& state, const Roofs& roofs, const Point& launch) {
  if (!launch.timing) {
    return {};
  }
  const auto model_says = ghost_at(state, roofs, complete(kernel(state), launch.parameters));
  return model_says && model_says->placement && !model_says->point.modelled.time_is_least
             ? std::optional(launch.timing->median / model_says->placement->time)
             : std::nullopt;
}

const Point* launch_at(const AppState& state, const Parameters& place) {
  const auto id =
      state.known.recordings.find(state.choice.gpu, state.choice.kernel, state.choice.caches, place);
  return id ? state.known.session.log->points.find(*id) : nullptr;
}

std::optional<std::string> why_wrong(const AppState& state, const Parameters& place) {
  const Point* launch = launch_at(state, place);
  return launch && launch->wrong() ? std::optional("The result is wrong. " + launch->verification->sentence)
                                   : std::nullopt;
}

}  // namespace rooftile::scene
