#include "kernels/worker/compile/include_folders.hpp"

#include <cstdlib>
#include <sstream>
#include <string>
#include <system_error>

namespace rooftile::worker {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> toolkit_folders() {
  std::vector<fs::path> folders;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* value = std::getenv(variable)) {
      folders.push_back(fs::path(value) / "include");
    }
  }
  folders.emplace_back("/usr/local/cuda/include");
  std::istringstream of_build(ROOFTILE_CUDA_INCLUDE_FOLDERS);
  for (std::string folder; std::getline(of_build, folder, ':');) {
    folders.emplace_back(folder);
  }
  return folders;
}

bool is_there(const fs::path& file) {
  std::error_code none;
  return fs::exists(file, none);
}

}  // namespace

std::vector<fs::path> toolkit_include_folders() {
  for (const fs::path& folder : toolkit_folders()) {
    if (is_there(folder / "cuda_fp16.h")) {
      return is_there(folder / "cccl") ? std::vector{folder, folder / "cccl"} : std::vector{folder};
    }
  }
  return {};
}

}  // namespace rooftile::worker
