// Why a launch takes another time than another one: a waterfall.
#pragma once

#include "analysis/verdict/explanation.hpp"
#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// The launches at both ends of a step.
struct Step {
  const Point* from = nullptr;
  const Point* to = nullptr;
};
// On a ladder the step from the rung below. With exactly two launches selected, the step between them: in the
// order of their visits, but always to `present` where it is one of them. Otherwise the step from the launch of
// its kernel visited before. Empty where there is none.
std::optional<Step> step_to(const AppState& state, const Point& present);

// The waterfall of that step. Only a sentence where the launches cannot be compared; empty where there is no
// step.
std::optional<WhyView> why_view(const AppState& state, const Point& present, const Roofs& roofs);
// Each bar begins where the bar above it ends; causes too small to see have no bar. The first and the last bar
// are called `from` and `to`.
WhyView waterfall(const Explanation& explanation, const std::string& from = "before",
                  const std::string& to = "now");

}  // namespace rooftile::scene
