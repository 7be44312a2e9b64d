// The hardware peaks of the chip, as its counters know them: so much per cycle, at the measured clocks of a
// launch.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "analysis/record/point.hpp"
#include "analysis/roofline/roofline.hpp"

namespace rooftile::worker {

// The value of a metric of the chip; empty if the chip has no such metric.
using Evaluate = std::function<std::optional<double>(const std::string& metric)>;

// counters: of a launch, for its clocks.
Roofs spec_roofs(const Evaluate& evaluate, const Counters& counters);

}  // namespace rooftile::worker
