// The chart as numbers and labels of launches and roofs. Their places in pixels: chart_picture.hpp.
#pragma once

#include <span>
#include <vector>

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// The roofs of the chosen GPU: of its session, else from its datasheet.
Roofs roofs_of(const AppState& state);
// Roofs of the named GPU.
Roofs roofs_of(const AppState& state, const std::string& gpu);

// The basis of all figures of launches on the chosen GPU.
LaunchBasis launch_basis(const AppState& state);

// The compiled kernel for this place and GPU: compiled here, or taken from the bundled table.
std::optional<Compiled> compiled_before(const AppState& state, const Parameters& parameters, const Gpu& gpu);

// The model's prediction for the dialled place. Empty where no roof is known.
struct Ghost {
  Point point;
  std::optional<Placement> placement;
};
std::optional<Ghost> ghost(const AppState& state, const Roofs& roofs);
// The prediction for another place of the chosen kernel; its parameters are complete.
std::optional<Ghost> ghost_at(const AppState& state, const Roofs& roofs, const Parameters& values);

// The point the window is about: the newest of exactly what is dialled, else the newest of the kernel.
const Point* current_point(const AppState& state);

ChartKind chart_kind(const AppState& state);
// The place of the point on the chart that is shown.
std::optional<Placement> place_on_chart(const AppState& state, const Point& point, const Roofs& roofs);

Chart chart(const AppState& state, PlacedRows& placed, const Roofs& roofs, const std::optional<Ghost>& ghost);

// Adds the memory roofs, the roofs of the pipes, and FP32's roof beneath that of a tensor pipe. The highest
// compute roof cuts the memory roofs.
void add_roofs(Chart& chart, const Roofs& roofs, std::span<const std::string> pipes,
               std::optional<Origin> origin);

// Axes that show every roof and every row of the chart.
Axes axes_around(const Chart& chart);
// Axes that show every roof, and every launch of the chosen GPU on the kernel's pipe.
Axes fitted_axes(const AppState& state, const Roofs& roofs);

}  // namespace rooftile::scene
