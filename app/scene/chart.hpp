// Points and roofs as the chart draws them: coordinates, labels and what is said on hover.
#pragma once

#include <vector>

#include "app/scene/app_state.hpp"

namespace rooftile::scene {

// The roofs of the chosen GPU: of its session, else from its datasheet.
Roofs roofs_of(const AppState& state);

// What the model says of the place the dials point at. Empty where no roof is known.
struct Ghost {
  Point point;
  std::optional<Placement> placement;
};
std::optional<Ghost> ghost(const AppState& state, const Roofs& roofs);

// The point the window is about: the newest of exactly what is dialled, else the newest of the kernel.
const Point* current_point(const AppState& state);

ChartKind chart_kind(const AppState& state);
// Where the point stands on the chart that is shown.
std::optional<Placement> place_on_chart(const AppState& state, const Point& point, const Roofs& roofs);

Chart chart(const AppState& state, const Roofs& roofs, const std::optional<Ghost>& ghost);

// Axes that show every roof and every point of the chosen GPU.
Axes fitted_axes(const AppState& state, const Roofs& roofs);

}  // namespace rooftile::scene
