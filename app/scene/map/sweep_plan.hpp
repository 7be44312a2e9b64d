// A sweep as its panel offers it: which dials with which values, how many launches, how long.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// The names of the kernel's dials, without sizes and scalars.
std::set<std::string> dial_names(const Manifest& manifest);

// The values that the sweep goes through, of each dial of the chosen kernel.
std::map<std::string, std::set<double>> sweep_values(const AppState& state);
// The choice with a value added or removed; the present value stays where a dial would have none.
SweepChoice with_value(const AppState& state, const std::string& dial, double value);
// With every value of the dial; if all are chosen already, with the present value alone.
SweepChoice with_all_values(const AppState& state, const std::string& dial);

// Every legal place of the sweep, a coarse grid first; in a recording those that were recorded. None where
// there are too many places.
std::vector<Configuration> sweep_configurations(const AppState& state);

// `before`: what was worked out last; it is taken over where nothing it depends on has changed.
SweepPlan sweep_plan(const AppState& state, SweepPlan before);

// How the newest sweep goes, and what failed; none where nothing was swept.
std::vector<std::string> sweep_news(const AppState& state);

}  // namespace rooftile::scene
