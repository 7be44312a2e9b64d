#include "app/scene/paper/log_axes.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace rooftile::scene {
namespace {

std::vector<double> multiples(double low, double high, std::initializer_list<int> digits) {
  std::vector<double> all;
  if (!(low > 0) || !std::isfinite(high) || !(high > low)) {
    return all;
  }
  const int last = static_cast<int>(std::floor(std::log10(high)));
  for (int power = static_cast<int>(std::floor(std::log10(low))); power <= last; ++power) {
    for (const int digit : digits) {
      const double value = digit * std::pow(10, power);
      if (low <= value && value <= high) {
        all.push_back(value);
      }
    }
  }
  return all;
}

}  // namespace

LogScale::LogScale(double low, double high, float from, float to)
    : origin_(static_cast<float>(std::log(low))),
      from_(from),
      pixels_((to - from) / static_cast<float>(std::log(high / low))) {}

float LogScale::at(double value) const {
  return at_logarithm(static_cast<float>(std::log(value)));
}

std::vector<double> decades(double low, double high) {
  return multiples(low, high, {1});
}

std::vector<double> between_decades(double low, double high) {
  return multiples(low, high, {2, 3, 4, 5, 6, 7, 8, 9});
}

std::vector<double> labelled_values(double low, double high, int most) {
  std::vector<double> values = decades(low, high);
  if (values.size() < 2) {
    values = multiples(low, high, {1, 2, 5});
  }
  const std::size_t step = values.size() / static_cast<std::size_t>(std::max(1, most)) + 1;
  std::vector<double> kept;
  for (std::size_t i = 0; i < values.size(); i += step) {
    kept.push_back(values[i]);
  }
  return kept;
}

}  // namespace rooftile::scene
