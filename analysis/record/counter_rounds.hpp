// The counters of a kernel that was counted several times over.
#pragma once

#include <vector>

#include "analysis/record/point.hpp"

namespace rooftile {

// Each counter's median over the rounds, and its spread; a counter that is missing in a round stays empty
// there. There must be at least one round; the passes and the metrics are those of the last one.
Counters joined_rounds(std::vector<Counters> rounds);

}  // namespace rooftile
