// The figures of a launch, or of a prediction, in a cell of the map.
#pragma once

#include <optional>
#include <string>

#include "app/scene/map/kept_map.hpp"
#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

CellFigures figures_of(const AppState& state, const Roofs& roofs, MapMetric metric, const Point& point);

// Measured over predicted time: 2 is half as fast as the model says. Empty where the model knows but a bound.
std::optional<double> against_model(const AppState& state, const Roofs& roofs, const Point& launch);

// The launch of the chosen GPU, kernel and caches at exactly this place, which is complete.
const Point* launch_at(const AppState& state, const Parameters& place);
// A sentence where a launch was made there whose result is wrong.
std::optional<std::string> why_wrong(const AppState& state, const Parameters& place);

}  // namespace rooftile::scene
