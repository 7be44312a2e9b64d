// What bounds a point, in a sentence. What to change: advice.hpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/occupancy.hpp"
#include "analysis/point.hpp"
#include "analysis/roofline.hpp"

namespace rooftile {

struct Verdict {
  std::string title;     // "Bound by shared memory"
  std::string grounds;   // what is used, what is idle
  std::string bound_by;  // short, for a table: "shared memory", "FP32", "instructions", "latency"
  // The same for programs, whatever the words: the key of a level, a pipe, "instructions", "loads_stores",
  // "latency"; of predictions the longest term, "l1_and_shared_memory"; empty: no roof is known.
  std::string id = {};
};

// Thresholds follow Nsight Compute's speed-of-light rules: what is used to 60 % bounds, a roof before the SM's
// instructions; else it is latency. See diagnosis.cpp.
Verdict diagnose(const Point& point, const Placement& placement, const std::optional<Occupancy>& occupancy);

// What the counters say of the SM beside the roofs: "schedulers issue in 61 % of the cycles".
std::vector<std::string> limits(const Counters& counters);

// Occupancy of a point from what was really compiled; empty before that, and where the SM is not known.
std::optional<Occupancy> occupancy_of(const Point& point, const SmLimits& sm);
// compiled: empty: registers and static shared memory limit nothing.
BlockResources resources_of(const Launch& launch, const std::optional<Compiled>& compiled);

}  // namespace rooftile
