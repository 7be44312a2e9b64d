// The limit of a point, in a sentence. The change to make is in advice.hpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/chip/occupancy.hpp"
#include "analysis/record/point.hpp"
#include "analysis/roofline/roofline.hpp"

namespace rooftile {

struct Verdict {
  std::string title;     // "Bound by shared memory"
  std::string grounds;   // what is used, what is idle
  std::string bound_by;  // short, for a table: "shared memory", "FP32", "warp issue", "latency"
  // The same for programs, whatever the words: the key of a level, a pipe, "instructions", "loads_stores",
  // "latency"; of predictions the longest term, "l1_and_shared_memory"; empty: no roof is known.
  std::string id = {};
};

// Thresholds follow Nsight Compute's speed-of-light rules: the launch is bound by what is used to 60 %, a roof
// before the SM's instructions; else by latency. See diagnosis.cpp.
Verdict diagnose(const Point& point, const Placement& placement, const std::optional<Occupancy>& occupancy);

// The counters' figures of the SM beside the roofs: "warp schedulers issue in 61 % of the cycles".
std::vector<std::string> limits(const Counters& counters);

}  // namespace rooftile
