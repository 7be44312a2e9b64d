// The measured roofs of memory, each by a microbenchmark of its own.
#pragma once

#include "analysis/roofline/roofline.hpp"
#include "kernels/worker/roofs/microbenchmark.hpp"

namespace rooftile::worker {

// The levels that this device has.
std::vector<MemoryLevel> measurable_levels(const Gpu& gpu);
MemoryRoof memory_ceiling(const Microbenchmark& bench, MemoryLevel level);

}  // namespace rooftile::worker
