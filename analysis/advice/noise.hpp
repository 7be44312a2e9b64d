// When two times say nothing about which launch is faster.
#pragma once

#include <algorithm>

#include "analysis/record/point.hpp"

namespace rooftile {

inline constexpr double least_noise = 0.01;  // of a time: seldom do two runs of a launch agree better

// The wider spread of the two, as a share of the time.
inline double noise_of(const Timing& a, const Timing& b) {
  return std::max({least_noise, a.spread(), b.spread()});
}
// True where `time` is slower than `best` by no more than their noise, or not slower at all.
inline bool within_noise(const Timing& time, const Timing& best) {
  return time.median.value <= best.median.value * (1 + noise_of(time, best));
}

}  // namespace rooftile
