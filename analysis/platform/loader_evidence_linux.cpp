#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <sstream>

#include "analysis/platform/loader_evidence.hpp"
#include "analysis/platform/platform.hpp"
#include "analysis/platform/run_program.hpp"
#include "analysis/platform/text_file.hpp"

namespace rooftile::platform {
namespace {

constexpr std::array system_folders = {"/lib/x86_64-linux-gnu",
                                       "/usr/lib/x86_64-linux-gnu",
                                       "/lib64",
                                       "/usr/lib64",
                                       "/usr/lib",
                                       "/usr/lib/wsl/lib",
                                       "/usr/local/nvidia/lib64",
                                       "/usr/local/cuda/compat"};

}  // namespace

// The loader tells of a library that it cannot preload, and starts the program without it.
std::string loaders_refusal(const std::filesystem::path& library) {
  const TemporaryFolder folder;
  const auto words = folder.path() / "words";
  ChildProcess program({"env", "LD_PRELOAD=" + library.string(), "true"}, words);
  while (program.read_line()) {
  }
  return read_text(words).value_or("");
}

std::vector<std::filesystem::path> library_places(std::string_view file) {
  std::vector<std::filesystem::path> folders(system_folders.begin(), system_folders.end());
  const char* path = std::getenv("LD_LIBRARY_PATH");
  std::istringstream named(path != nullptr ? path : "");
  for (std::string folder; std::getline(named, folder, ':');) {
    folders.emplace_back(folder);
  }
  std::vector<std::filesystem::path> found;
  std::error_code none;
  for (const auto& folder : folders) {
    if (std::filesystem::exists(folder / file, none)) {
      found.push_back(folder / file);
    }
  }
  return found;
}

OpenWatch::OpenWatch(std::vector<std::filesystem::path> files)
    : files_(std::move(files)), events_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
  for (const auto& file : files_) {
    ::inotify_add_watch(events_.number(), file.c_str(), IN_OPEN);
  }
}

bool OpenWatch::was_opened() {
  alignas(inotify_event) std::array<char, 4096> events{};
  opened_ = opened_ || ::read(events_.number(), events.data(), events.size()) > 0;
  return opened_;
}

}  // namespace rooftile::platform
