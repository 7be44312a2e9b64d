// Names for points that differ in few of their parameters.
#pragma once

#include <vector>

#include "analysis/record/point_list.hpp"

namespace rooftile {

// For each point the parameters whose values differ among the points of its kernel. A parameter that always
// changes together with another is left out.
std::vector<Parameters> distinguishing(const PointList& points);

}  // namespace rooftile
