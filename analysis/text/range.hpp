// The values that a number from outside may have, both ends included.
#pragma once

#include <fmt/format.h>

#include <limits>
#include <string>

namespace rooftile {

struct Range {
  double least = -std::numeric_limits<double>::max();
  double most = std::numeric_limits<double>::max();
  bool holds(double value) const { return value >= least && value <= most; }  // false for NaN
  bool is_everything() const { return least == Range{}.least && most == Range{}.most; }
};

inline std::string text(const Range& range) {
  return range.is_everything() ? "" : fmt::format(" from {} to {}", range.least, range.most);
}

}  // namespace rooftile
