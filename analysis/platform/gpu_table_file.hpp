// GPUs from files: the bundled table, and entries of one's own in the same form.
#pragma once

#include <filesystem>
#include <vector>

#include "analysis/chip/gpu.hpp"

namespace rooftile::platform {

// assets/gpus.toml. Throws Error when it is missing or not TOML.
GpuTable load_gpu_table();
// The bundled GPUs with those of gpus.toml in the user's configuration folder and of these files; a GPU with a
// known name replaces the known one. Throws Error for a mistake in one of these files: somebody asked for it.
GpuTable load_gpu_table_with(const std::vector<std::filesystem::path>& own_files);

}  // namespace rooftile::platform
