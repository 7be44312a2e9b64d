#include "kernels/worker/cuda/library_places.hpp"

#include <cstdlib>
#include <filesystem>

#include "analysis/platform/platform.hpp"

namespace rooftile::worker {
namespace {

std::vector<std::filesystem::path> toolkit_directories() {
  std::vector<std::filesystem::path> roots;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* value = std::getenv(variable)) {
      roots.emplace_back(value);
    }
  }
  roots.emplace_back("/usr/local/cuda");
  return roots;
}

}  // namespace

std::vector<std::string> cuda_major_versions(const std::string& driver) {
  return driver.starts_with("12.") ? std::vector<std::string>{"12", "13"}
                                   : std::vector<std::string>{"13", "12"};
}

std::vector<std::string> library_places(const std::string& name,
                                        const std::vector<std::string>& major_versions) {
  std::vector<std::filesystem::path> directories;
  for (const auto& root : toolkit_directories()) {
    directories.push_back(root / "lib64");
    directories.push_back(root / "lib");  // where the vendor's wheels and conda have them
    directories.push_back(root / "extras/CUPTI/lib64");
  }
  directories.push_back(platform::executable_directory() / "../lib/rooftile");
  directories.emplace_back(ROOFTILE_CUDA_LIBRARY_DIR);  // empty when the build used a toolkit
  directories.emplace_back();                           // the system's own search

  std::vector<std::string> places;
  for (const auto& directory : directories) {
    for (const std::string& version : major_versions) {
      const std::string file = platform::library_file(name, version);
      places.push_back(directory.empty() ? file : (directory / file).string());
    }
  }
  return places;
}

}  // namespace rooftile::worker
