// A manifest's tensor map as the hardware wants it.
#pragma once

#include "analysis/manifest/manifest.hpp"
#include "kernels/worker/cuda/driver.hpp"

namespace rooftile::worker {

// Throws Error, saying what TMA asks for, when it cannot copy such boxes of the buffer.
CUtensorMap encode(const Driver& driver, const TensorMap& map, const Buffer& buffer, CUdeviceptr memory,
                   const Parameters& parameters);

}  // namespace rooftile::worker
