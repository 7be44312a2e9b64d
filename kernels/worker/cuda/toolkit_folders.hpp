// The folders where a CUDA toolkit may be.
#pragma once

#include <filesystem>
#include <vector>

namespace rooftile::worker {

// The folders of CUDA_HOME and CUDA_PATH, of NVIDIA's wheels where rooftile is installed from a wheel, and
// /usr/local/cuda, in this order; they need not exist.
std::vector<std::filesystem::path> toolkit_folders();

}  // namespace rooftile::worker
