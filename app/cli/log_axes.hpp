// From intensity and performance to places on a drawing, both logarithmic.
#pragma once

#include <vector>

#include "app/cli/svg.hpp"

namespace rooftile::cli {

struct Range {
  double low = 1, high = 1;
  void include(double value);
  bool holds(double value) const { return low <= value && value <= high; }
};

struct LogAxes {
  Range x, y;   // values; neither touches zero
  Spot corner;  // top left of the plot
  double width = 1, height = 1;

  Spot at(double x_value, double y_value) const;
  double left() const { return corner.x; }
  double right() const { return corner.x + width; }
  double top() const { return corner.y; }
  double bottom() const { return corner.y + height; }
  // Of a line along which y grows as x does, as an SVG turns: negative is upwards.
  double slope_degrees() const;
};

std::vector<double> decades(const Range& range);          // 0.1 1 10 inside the range
std::vector<double> between_decades(const Range& range);  // 2 to 9 times each

}  // namespace rooftile::cli
