// The intensity that a textbook reads off the source: FLOPs over the bytes that threads ask of global memory,
// each for itself. Counters see fewer bytes: lanes of a warp that read one word ask once, and caches serve
// repeated requests.
#pragma once

#include <optional>

#include "analysis/model/model.hpp"

namespace rooftile {

// Takes every lane of a warp to be active. Empty for a kernel without FLOPs, and where its accesses are not
// known.
std::optional<FlopsPerByte> thread_intensity(const Model& model);

}  // namespace rooftile
