// What to call points that differ in few of their parameters.
#pragma once

#include <vector>

#include "analysis/record/point_list.hpp"

namespace rooftile {

// For each point the parameters whose values differ among those of its kernel. One that always goes with
// another is left out.
std::vector<Parameters> distinguishing(const PointList& points);

}  // namespace rooftile
