// From values to pixels along a logarithmic axis, and the values worth a line.
#pragma once

#include <vector>

namespace rooftile::scene {

class LogScale {
 public:
  // The value `low` stands at the pixel `from`, `high` at `to`. Both values are above zero and differ.
  LogScale(double low, double high, float from, float to);
  float at(double value) const;
  float at_logarithm(float logarithm) const { return from_ + (logarithm - origin_) * pixels_; }

 private:
  float origin_, from_, pixels_;  // pixels per unit of the natural logarithm
};

// 0.1 1 10: those within the range. None where the range touches zero or has no end.
std::vector<double> decades(double low, double high);
// 2 to 9 times each.
std::vector<double> between_decades(double low, double high);
// The values to write beside the axis, at most `most`: decades, every other one or fewer where there are many;
// 2 and 5 times them too where there is hardly one.
std::vector<double> labelled_values(double low, double high, int most);

}  // namespace rooftile::scene
