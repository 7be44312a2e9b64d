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
// Where exactly two launches are selected, from the one to the other: in the order of their visits, but always
// to `present` where it is one of them. Else from the launch of its kernel visited before. Empty where there is
// none.
std::optional<Step> step_to(const AppState& state, const Point& present);

// Of that step. Of launches that cannot be compared a sentence alone; empty where there is no step.
std::optional<WhyView> why_view(const AppState& state, const Point& present, const Roofs& roofs);
// Each bar begins where the one above it ends, but for causes too small to see; the first and the last bear
// these names.
WhyView waterfall(const Explanation& explanation, const std::string& from = "before",
                  const std::string& to = "now");

}  // namespace rooftile::scene
