// The times of any number of launches in bounded memory.
#pragma once

#include <cstddef>
#include <random>
#include <vector>

#include "analysis/record/point.hpp"

namespace rooftile {

class DurationSample {
 public:
  // most: durations that are kept for the median.
  explicit DurationSample(std::size_t most = 4096) : most_(most) {}

  void add(Seconds duration);
  std::size_t count() const { return count_; }
  Seconds total() const { return total_; }
  // Exact but for the median of more than were kept, which is that of a random sample (reservoir sampling,
  // Vitter 1985). There must be one.
  Timing timing() const;
  // Of those launches alone that took about as long as this one, which did the same work; the others are set
  // aside. Of all where none did.
  Timing timing_like(Seconds launch) const;

 private:
  std::size_t most_, count_ = 0;
  Seconds total_, fastest_, slowest_;
  std::vector<Seconds> kept_;
  std::minstd_rand random_;  // the same sequence every time
};

}  // namespace rooftile
