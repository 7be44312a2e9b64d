// Comparison of two launches, or programs, by figures that were taken in turns.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "analysis/text/units.hpp"

namespace rooftile {

struct TimePair {
  Seconds a, b;  // of one round
};

// B's time by A's. The true median ratio lies from `low` to `high` with a confidence of at least 95 %, whatever
// the distribution of the times: these are order statistics of the rounds' ratios (the sign test turned round).
struct PairedRatio {
  double median = 1, low = 1, high = 1;
  // Both ends lie on one side of 1, further than the tolerance, a share.
  bool is_slower(double tolerance = 0) const { return low > 1 + tolerance; }
  bool is_faster(double tolerance = 0) const { return high < 1 - tolerance; }
};

inline constexpr std::size_t fewest_rounds = 6;  // fewer say nothing with 95 %

// From the ratios of a figure, one for each round. Throws Error for fewer rounds.
PairedRatio paired_ratio(std::vector<double> ratios);
PairedRatio paired_ratio(std::span<const TimePair> rounds);

}  // namespace rooftile
