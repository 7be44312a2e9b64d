// The folders where a CUDA toolkit may be.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rooftile::worker {

// The folders of CUDA_HOME and CUDA_PATH, of NVIDIA's wheels where rooftile is installed from a wheel, and
// /usr/local/cuda, in this order; they need not exist.
std::vector<std::filesystem::path> toolkit_folders();

// The folders of PATH, then those with the programs of the toolkits.
std::vector<std::filesystem::path> program_folders();
std::optional<std::filesystem::path> find_program(const std::vector<std::filesystem::path>& folders,
                                                  const std::string& name);

}  // namespace rooftile::worker
