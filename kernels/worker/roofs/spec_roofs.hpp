// The roofs the chip is built for, as its counters know them: so much per cycle, at the clocks that a launch
// held.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "analysis/record/point.hpp"
#include "analysis/roofline/roofline.hpp"

namespace rooftile::worker {

// The value of a metric of the chip; empty where it has none of that name.
using Evaluate = std::function<std::optional<double>(const std::string& metric)>;

// counters: of a launch, for its clocks.
Roofs spec_roofs(const Evaluate& evaluate, const Counters& counters);

}  // namespace rooftile::worker
