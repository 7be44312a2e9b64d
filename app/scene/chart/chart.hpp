// What the chart shows: launches and roofs as numbers and labels. Where they stand in pixels:
// chart_picture.hpp.
#pragma once

#include <span>
#include <vector>

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// The roofs of the chosen GPU: of its session, else from its datasheet.
Roofs roofs_of(const AppState& state);
// Roofs of the named GPU.
Roofs roofs_of(const AppState& state, const std::string& gpu);

// What figures of a launch of the chosen GPU rest on.
LaunchBasis launch_basis(const AppState& state);

// What a compiler has made of this place of the chosen kernel for the chosen GPU, here or for the bundled
// table.
std::optional<Compiled> compiled_before(const AppState& state, const Parameters& parameters, const Gpu& gpu);

// What the model says of the place the dials point at. Empty where no roof is known.
struct Ghost {
  Point point;
  std::optional<Placement> placement;
};
std::optional<Ghost> ghost(const AppState& state, const Roofs& roofs);
// The same of another place of the chosen kernel; its parameters are complete.
std::optional<Ghost> ghost_at(const AppState& state, const Roofs& roofs, const Parameters& values);

// The point the window is about: the newest of exactly what is dialled, else the newest of the kernel.
const Point* current_point(const AppState& state);

ChartKind chart_kind(const AppState& state);
// Where the point stands on the chart that is shown.
std::optional<Placement> place_on_chart(const AppState& state, const Point& point, const Roofs& roofs);

Chart chart(const AppState& state, PlacedRows& placed, const Roofs& roofs, const std::optional<Ghost>& ghost);

// The memory roofs, those of the pipes, and FP32's beneath that of a tensor pipe. The highest cuts the memory
// roofs.
void add_roofs(Chart& chart, const Roofs& roofs, std::span<const std::string> pipes,
               std::optional<Origin> origin);

// Axes that show every roof and every row of the chart.
Axes axes_around(const Chart& chart);
// The same for every launch of the chosen GPU on the kernel's pipe.
Axes fitted_axes(const AppState& state, const Roofs& roofs);

}  // namespace rooftile::scene
