#include "analysis/platform/catalogue_files.hpp"

#include <algorithm>
#include <set>

#include "analysis/platform/platform.hpp"
#include "analysis/platform/text_file.hpp"
#include "analysis/text/error.hpp"

namespace rooftile::platform {
namespace {

namespace fs = std::filesystem;

// Lists the folders up to the failure.
std::vector<fs::path> folders_in(const fs::path& directory, std::error_code& failure) {
  std::vector<fs::path> folders;
  for (fs::directory_iterator at(directory, failure), end; !failure && at != end; at.increment(failure)) {
    if (std::error_code unknown; at->is_directory(unknown)) {
      folders.push_back(at->path());
    }
  }
  std::ranges::sort(folders);
  return folders;
}

// Adds the files of the directory itself, of its kernels and of the kernels of its families. A folder below it
// that cannot be read is passed over: somebody else's private folder may lie there.
void add_kernel_files(const fs::path& directory, std::vector<fs::path>& files) {
  std::error_code failure, passed_over;
  std::vector<fs::path> folders = {directory};
  for (const auto& family : folders_in(directory, failure)) {
    folders.push_back(family);
    const auto kernels = folders_in(family, passed_over);
    folders.insert(folders.end(), kernels.begin(), kernels.end());
  }
  if (failure) {
    throw Error("cannot read the kernel directory " + directory.string() + ": " + failure.message());
  }
  for (const auto& folder : folders) {
    const fs::path file = folder / "kernel.toml";
    if (std::error_code unknown; fs::exists(fs::symlink_status(file, unknown))) {
      files.push_back(file);
    }
  }
}

}  // namespace

std::vector<fs::path> kernel_files(const std::vector<fs::path>& directories) {
  std::vector<fs::path> files;
  for (const auto& directory : directories) {
    add_kernel_files(directory, files);
  }
  std::set<fs::path> listed;  // a folder may be named twice
  std::erase_if(files, [&](const fs::path& file) {
    std::error_code none;
    return !listed.insert(fs::absolute(file, none).lexically_normal()).second;
  });
  return files;
}

Catalogue load_catalogue(const std::vector<fs::path>& directories) {
  return read_catalogue(kernel_files(directories), read_text);
}

std::vector<fs::path> bundled_folders() {
  return {data_directory() / "kernels", data_directory() / "assets" / "examples"};
}

Catalogue load_catalogue_with(const std::vector<fs::path>& own_directories) {
  std::vector<fs::path> directories = bundled_folders();
  directories.insert(directories.end(), own_directories.begin(), own_directories.end());
  return load_catalogue(directories);
}

Manifest load_manifest(const fs::path& file) {
  return read_manifest(file, read_text);
}

std::vector<fs::path> lesson_files() {
  std::vector<fs::path> files;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(data_directory() / "assets" / "lessons", none)) {
    if (entry.path().extension() == ".md") {
      files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  return files;
}

bool is_bundled(const Manifest& manifest) {
  return std::ranges::any_of(bundled_folders(), [&](const fs::path& folder) {
    const fs::path beside = manifest.file.lexically_relative(folder);
    return !beside.empty() && *beside.begin() != "..";
  });
}

}  // namespace rooftile::platform
