// The times of any number of launches in bounded memory.
#pragma once

#include <cstddef>
#include <random>
#include <vector>

#include "analysis/record/point.hpp"

namespace rooftile {

// Whether two launches of one kernel and shape took so nearly the same time that they did the same work. One
// kernel of one shape may be given little work or much: PyTorch multiplies matrices of several depths, and
// fills arrays of all sizes, with such kernels.
bool took_about_as_long(Seconds one, Seconds other);

class DurationSample {
 public:
  // most: durations that are kept for the median.
  explicit DurationSample(std::size_t most = 4096) : most_(most) {}

  void add(Seconds duration);
  std::size_t count() const { return count_; }
  Seconds total() const { return total_; }
  // Exact, but the median of more durations than were kept is that of a random sample (reservoir sampling,
  // Vitter 1985). There must be at least one duration.
  Timing timing() const;
  // Only the launches that took about as long as the counted one; the others are set aside. If there are none:
  // the counted launch itself, or all launches where it is so short that counting may have prolonged it.
  Timing timing_like(Seconds counted) const;

 private:
  std::size_t most_, count_ = 0;
  Seconds total_, fastest_, slowest_;
  std::vector<Seconds> kept_;
  std::minstd_rand random_;  // the same sequence every time
};

}  // namespace rooftile
