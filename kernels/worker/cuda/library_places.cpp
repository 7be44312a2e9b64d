#include "kernels/worker/cuda/library_places.hpp"

#include <filesystem>

#include "analysis/platform/platform.hpp"
#include "kernels/worker/cuda/toolkit_folders.hpp"

namespace rooftile::worker {
std::vector<std::string> cuda_major_versions(const std::string& driver) {
  return driver.starts_with("12.") ? std::vector<std::string>{"12", "13"}
                                   : std::vector<std::string>{"13", "12"};
}

std::vector<std::string> library_places(const std::string& name,
                                        const std::vector<std::string>& major_versions) {
  std::vector<std::filesystem::path> directories;
  for (const auto& root : toolkit_folders()) {
    directories.push_back(root / "lib64");
    directories.push_back(root / "lib");  // where the vendor's wheels and conda have them
    directories.push_back(root / "extras/CUPTI/lib64");
  }
  directories.push_back(platform::installation() / "lib/rooftile");
  directories.emplace_back();  // the system's own search

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
