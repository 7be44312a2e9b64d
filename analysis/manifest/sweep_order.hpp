// The order in which a sweep goes through its places.
#pragma once

#include <vector>

#include "analysis/text/expression.hpp"

namespace rooftile {

// A coarse grid first: the ends of every dial, then the middles between what came before, so that the shape
// shows early. Places of one grid stay in their order.
std::vector<Parameters> coarse_first(std::vector<Parameters> places);

}  // namespace rooftile
