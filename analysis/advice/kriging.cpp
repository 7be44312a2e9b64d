#include "analysis/advice/kriging.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace rooftile {
namespace {

// Variances of the logarithm of measured / predicted time. Of the recorded launches, half of the second and
// lengths of 0.4 to 1.2 found places nearly as good.
constexpr double variance_by_dial = 0.1, variance_of_all = 0.1, noise = 0.001;
constexpr double length = 0.7;     // of a dial's range, over which values are alike
constexpr double one_dial = 0.05;  // between places that differ in it, beside the way between them

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

Kriging::Kriging(std::vector<std::vector<double>> positions)
    : positions_(std::move(positions)), whitened_(positions_.size()) {}

double Kriging::covariance(std::size_t a, std::size_t b) const {
  const std::size_t dials = positions_[a].size();
  double alike = 0, apart = 0;
  for (std::size_t i = 0; i < dials; ++i) {
    const double way = std::abs(positions_[a][i] - positions_[b][i]);
    alike += std::exp(-way / length);
    apart += way > 0 ? one_dial + way : 0;
  }
  return variance_by_dial * (dials > 0 ? alike / static_cast<double>(dials) : 1) +
         variance_of_all * std::exp(-apart / length);
}

void Kriging::learn(std::size_t place, double value) {
  const std::vector<double> row = whitened_[place];  // the next one of L
  const double diagonal = std::sqrt(covariance(place, place) + noise - dot(row, row));
  for (std::size_t other = 0; other < whitened_.size(); ++other) {
    whitened_[other].push_back((covariance(other, place) - dot(row, whitened_[other])) / diagonal);
  }
  values_.push_back((value - dot(row, values_)) / diagonal);
  ones_.push_back((1 - dot(row, ones_)) / diagonal);
}

Kriging::Estimate Kriging::at(std::size_t place) const {
  const std::vector<double>& own = whitened_[place];
  const double mean = values_.empty() ? 0 : dot(ones_, values_) / dot(ones_, ones_);
  const double variance = covariance(place, place) - dot(own, own);
  return {mean + dot(own, values_) - mean * dot(own, ones_), std::sqrt(std::max(variance, 0.0))};
}

}  // namespace rooftile
