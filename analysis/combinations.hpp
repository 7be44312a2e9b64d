// What a kernel's dials and variants can be set to.
#pragma once

#include <vector>

#include "analysis/manifest.hpp"

namespace rooftile {

// The legal combinations of the values that its dials and variants offer, completed with the defaults of all
// else.
std::vector<Parameters> every_combination(const Manifest& manifest);

}  // namespace rooftile
