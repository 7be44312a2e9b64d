// Tells what a source that was saved changed in the launch that is shown.
#pragma once

#include <string>

#include "analysis/record/point.hpp"

namespace rooftile::scene {

// "14.2 us, 1.08x as fast as before (15.3 us); 40 registers instead of 32". Launches whose times overlap are
// told as equal. Both must be timed.
std::string what_was_changed(const Point& before, const Point& after);

}  // namespace rooftile::scene
