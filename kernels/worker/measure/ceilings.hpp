// The measured roofs: what our own microbenchmarks reach on this device.
#pragma once

#include "analysis/roofline.hpp"
#include "kernels/worker/compile/compiler.hpp"
#include "kernels/worker/cuda/resources.hpp"

namespace rooftile::worker {

// Runs for about half a second. sources: the folder kernels/.
Roofs measure_ceilings(const Device& device, const Compiler& compiler, const std::filesystem::path& sources);

// The same, kept in a folder by device and driver; measured when nothing is kept or `again` is set.
Roofs kept_ceilings(const Device& device, const Compiler& compiler, const std::filesystem::path& sources,
                    const std::filesystem::path& folder, bool again);

}  // namespace rooftile::worker
