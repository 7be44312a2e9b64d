// assets/gpus.toml.
#pragma once

#include "analysis/gpu.hpp"

namespace rooftile::platform {

// Throws Error when it is missing or not TOML.
GpuTable load_gpu_table();

}  // namespace rooftile::platform
