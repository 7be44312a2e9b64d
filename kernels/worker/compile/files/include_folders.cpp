#include "kernels/worker/compile/files/include_folders.hpp"

#include <sstream>
#include <string>
#include <system_error>

#include "kernels/worker/cuda/toolkit_folders.hpp"

namespace rooftile::worker {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> header_folders() {
  std::vector<fs::path> folders;
  for (const fs::path& toolkit : toolkit_folders()) {
    folders.push_back(toolkit / "include");
  }
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
  for (const fs::path& folder : header_folders()) {
    if (is_there(folder / "cuda_fp16.h")) {
      return is_there(folder / "cccl") ? std::vector{folder, folder / "cccl"} : std::vector{folder};
    }
  }
  return {};
}

}  // namespace rooftile::worker
