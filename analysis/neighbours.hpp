// Where a hand can move next.
#pragma once

#include <vector>

#include "analysis/configuration.hpp"
#include "analysis/manifest.hpp"

namespace rooftile {

// The legal configurations that differ from this one in one macro, the nearest values first. Sizes and scalars
// stay: they are arguments, one cubin serves them all. What a session compiles ahead.
std::vector<Configuration> neighbours(const Manifest& manifest, const Configuration& present);

}  // namespace rooftile
