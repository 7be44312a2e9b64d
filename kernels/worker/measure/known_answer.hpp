// A launch whose counts are known beforehand: it proves the counters once per worker, and tells what the chip
// could do.
#pragma once

#include <optional>

#include "analysis/roofline.hpp"
#include "kernels/worker/compile/compiler.hpp"
#include "kernels/worker/measure/counting.hpp"

namespace rooftile::worker {

// Counts an FMA chain. Spec roofs of the device at the clocks held meanwhile, from the counters' own peak
// rates; none when nothing can be counted. A wrong count marks the counters as failed.
Roofs count_known_answer(const Device& device, const Compiler& compiler, const std::filesystem::path& sources,
                         Counting& counting);

}  // namespace rooftile::worker
