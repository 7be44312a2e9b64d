// What to call points that differ in few of their parameters.
#pragma once

#include <span>
#include <vector>

#include "analysis/point.hpp"

namespace rooftile::cli {

// For each point the parameters whose values differ among those of its kernel. One that always goes with
// another is left out.
std::vector<Parameters> distinguishing(std::span<const Point> points);

}  // namespace rooftile::cli
