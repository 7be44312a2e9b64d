#include "app/cli/log_axes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace rooftile::cli {
namespace {

double fraction(double value, const Range& range) {
  return std::log(value / range.low) / std::log(range.high / range.low);
}

std::vector<double> multiples(const Range& range, int first, int last) {
  std::vector<double> all;
  for (int power = static_cast<int>(std::floor(std::log10(range.low))); std::pow(10, power) <= range.high;
       ++power) {
    for (int digit = first; digit <= last; ++digit) {
      const double value = digit * std::pow(10, power);
      if (range.holds(value)) {
        all.push_back(value);
      }
    }
  }
  return all;
}

}  // namespace

void Range::include(double value) {
  low = std::min(low, value);
  high = std::max(high, value);
}

Spot LogAxes::at(double x_value, double y_value) const {
  return {left() + width * fraction(x_value, x), bottom() - height * fraction(y_value, y)};
}

double LogAxes::slope_degrees() const {
  const double rise = height / std::log(y.high / y.low);
  const double run = width / std::log(x.high / x.low);
  return -std::atan2(rise, run) * 180 / std::numbers::pi;
}

std::vector<double> decades(const Range& range) {
  return multiples(range, 1, 1);
}

std::vector<double> between_decades(const Range& range) {
  return multiples(range, 2, 9);
}

}  // namespace rooftile::cli
