#include "kernels/worker/cuda/toolkit_folders.hpp"

#include <cstdlib>
#include <sstream>
#include <system_error>

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
  if (const std::filesystem::path fetched(ROOFTILE_CUDA_LIBRARY_DIR); !fetched.empty()) {
    folders.push_back(fetched.parent_path());
  }
  return folders;
}

std::vector<std::filesystem::path> program_folders() {
  std::vector<std::filesystem::path> folders;
  std::istringstream path(std::getenv("PATH") == nullptr ? "" : std::getenv("PATH"));
  for (std::string folder; std::getline(path, folder, ':');) {
    folders.emplace_back(folder);
  }
  for (const std::filesystem::path& toolkit : toolkit_folders()) {
    folders.push_back(toolkit / "bin");
  }
  return folders;
}

std::optional<std::filesystem::path> find_program(const std::vector<std::filesystem::path>& folders,
                                                  const std::string& name) {
  for (const std::filesystem::path& folder : folders) {
    std::error_code none;
    if (std::filesystem::is_regular_file(folder / name, none)) {
      return folder / name;
    }
  }
  return std::nullopt;
}

}  // namespace rooftile::worker
