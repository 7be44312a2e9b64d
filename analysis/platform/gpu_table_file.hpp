// assets/gpus.toml.
#pragma once

#include <vector>

#include "analysis/gpu.hpp"

namespace rooftile::platform {

// Throws Error naming file and line when the table is malformed or missing.
std::vector<Gpu> load_gpu_table();

}  // namespace rooftile::platform
