// The ladder: the kernels of one problem on one chart, each at its fastest launch, in the order in which they
// are taught. On a GPU that is predicted, each at the fastest place that was visited.
#pragma once

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

struct Rung {
  const Manifest* kernel;
  const Point* point;
};

// Kernels that solve the chosen kernel's problem and were launched with the dialled sizes on the chosen GPU.
// All: those that were taken off the chart as well. None where the ladder is not shown.
std::vector<Rung> all_rungs(const AppState& state);
std::vector<Rung> rungs(const AppState& state);

// The rungs, and the current launch where it is none of them.
std::vector<const Point*> ladder_points(const AppState& state);
bool is_rung(const AppState& state, const Point& point);

// The rung below; null at the foot, and for a launch that is no rung.
const Point* rung_below(const AppState& state, const Point& point);

}  // namespace rooftile::scene
