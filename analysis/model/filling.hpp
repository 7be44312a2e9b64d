// The numbers that a buffer begins with.
#pragma once

#include "analysis/manifest/manifest.hpp"

namespace rooftile {

// first + what lies from 0 to less than `below`.
struct Filling {
  double first = 0;        // of numbers that ascend
  double below = 0;        // 0: floating point from -0.5 to 0.5, integers of any bits
  bool ascending = false;  // evenly, to first + below - 1; else at random
  double skew = 0;         // the share of random elements that are all equal, 0 to 1
  unsigned seed = 0;       // the same seed gives the same numbers
};

// Without a seed. count: elements of the buffer. Throws Error where they cannot be below its bound.
Filling filling_of(const Buffer& buffer, const Parameters& parameters, double count);

}  // namespace rooftile
