// Launches of another GPU, or of another session, beside those of the chosen one.
#pragma once

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// Whether the chosen GPU is compared with another one, or another session.
bool compares(const AppState& state);

// The newest launch at the same place with the same caches, of a program's kernel that of the same shape, in
// what the chosen GPU is compared with; null where there is none, or nothing is compared.
const Point* launch_beside(const AppState& state, const Point& point);

// Adds to each row that stands out the launch at the same place of the dials there, and adds the legend.
void add_beside(Chart& chart, const AppState& state);

}  // namespace rooftile::scene
