// A quantity at places where nobody looked, from its values at others: ordinary kriging, which is a Gaussian
// process whose mean is not known (Rasmussen and Williams, "Gaussian Processes for Machine Learning", 2006,
// chapter 2). Two places are alike in each dial that stands nearly the same in both, and more so where all do:
// the covariance adds a term of each dial (Duvenaud, Nickisch and Rasmussen, "Additive Gaussian Processes",
// 2011) to one of all.
#pragma once

#include <cstddef>
#include <vector>

namespace rooftile {

class Kriging {
 public:
  // positions: of each place by dial, from 0 at the dial's least value to 1 at its largest. The same
  // dials at every place.
  explicit Kriging(std::vector<std::vector<double>> positions);

  void learn(std::size_t place, double value);  // each place once; takes time with places x values learned

  struct Estimate {
    double mean, deviation;
  };
  Estimate at(std::size_t place) const;  // before anything is learned: 0, and as far off as anywhere

 private:
  double covariance(std::size_t a, std::size_t b) const;

  std::vector<std::vector<double>> positions_;
  // With L the Cholesky factor of the covariances of the places learned: L^-1 times the covariances of each
  // place with those, times their values, and times as many ones.
  std::vector<std::vector<double>> whitened_;
  std::vector<double> values_, ones_;
};

}  // namespace rooftile
