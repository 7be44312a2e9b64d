#include "kernels/worker/compile/include_folders.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <sstream>
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

// The text behind the word include: "<cuda_fp16.h>". "%:" is another spelling of "#".
std::string included_by(const std::string& line) {
  const std::size_t include = line.find("include", std::min(line.find_first_of("#%"), line.size()));
  if (include == std::string::npos) {
    return "";
  }
  const std::size_t name = line.find_first_not_of(" \t", include + std::string_view("include").size());
  return name == std::string::npos ? "\"" : line.substr(name);
}

// True if any include of the source is meant; is_meant gets each as included_by() returns it.
bool any_include(const std::string& code, const std::function<bool(const std::string&)>& is_meant) {
  std::istringstream lines(code);
  for (std::string line, next; std::getline(lines, line);) {
    while (line.ends_with('\\') && std::getline(lines, next)) {
      line.replace(line.size() - 1, 1, next);
    }
    if (const std::string name = included_by(line); !name.empty() && is_meant(name)) {
      return true;
    }
  }
  return false;
}

// The toolkit's headers (cuda_fp16.h, cooperative_groups.h) and CCCL's (cub/block/block_scan.cuh,
// cuda/std/...), of the first place that has them: CUDA_HOME, CUDA_PATH, /usr/local/cuda, what the build used.
std::vector<fs::path> toolkit_include_folders() {
  for (const fs::path& folder : toolkit_folders()) {
    if (is_there(folder / "cuda_fp16.h")) {
      return is_there(folder / "cccl") ? std::vector{folder, folder / "cccl"} : std::vector{folder};
    }
  }
  return {};
}

}  // namespace

fs::path folder_of(const fs::path& source) {
  return source.has_parent_path() ? source.parent_path() : fs::path(".");
}

std::vector<std::string> header_options(const std::string& code, const std::vector<fs::path>& own_folders) {
  if (!any_include(code, [](const std::string&) { return true; })) {
    return {"--minimal"};
  }
  std::vector<std::string> options;
  for (const auto& folders : {own_folders, toolkit_include_folders()}) {
    for (const fs::path& folder : folders) {
      options.push_back("-I" + folder.string());
    }
  }
  return options;
}

bool includes_own_files(const std::string& code, const std::vector<fs::path>& own_folders) {
  return any_include(code, [&](const std::string& name) {
    if (name[0] != '<') {
      return true;
    }
    const std::string file = name.substr(1, name.find('>') - 1);
    return std::ranges::any_of(own_folders, [&](const fs::path& folder) { return is_there(folder / file); });
  });
}

}  // namespace rooftile::worker
