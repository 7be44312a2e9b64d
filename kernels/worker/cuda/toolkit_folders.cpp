#include "kernels/worker/cuda/toolkit_folders.hpp"

#include <cstdlib>

#include "analysis/platform/platform.hpp"

namespace rooftile::worker {

std::vector<std::filesystem::path> toolkit_folders() {
  std::vector<std::filesystem::path> folders;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* value = std::getenv(variable)) {
      folders.emplace_back(value);
    }
  }
  // site-packages/rooftile beside site-packages/nvidia/cu13
  folders.push_back((platform::installation() / "../nvidia/cu13").lexically_normal());
  folders.emplace_back("/usr/local/cuda");
  return folders;
}

}  // namespace rooftile::worker
