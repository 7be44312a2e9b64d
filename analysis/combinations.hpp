// What a kernel's dials can be set to.
#pragma once

#include <vector>

#include "analysis/manifest.hpp"

namespace rooftile {

// The legal combinations of the values its dials offer, completed with the defaults of all else.
std::vector<Parameters> every_combination(const Manifest& manifest);

}  // namespace rooftile
