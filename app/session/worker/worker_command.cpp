#include "app/session/worker/worker_command.hpp"

#include <fstream>

#include "analysis/platform/platform.hpp"

namespace rooftile {
namespace {

constexpr const char* nowhere = "/dev/null";

}  // namespace

std::string path_for_worker(const std::vector<std::string>& command, const std::filesystem::path& path) {
  return command.empty() ? path.string() : std::filesystem::absolute(path).lexically_normal().string();
}

std::vector<std::string> worker_command(const std::vector<std::string>& command,
                                        const std::vector<std::filesystem::path>& kernel_folders) {
  std::vector<std::string> words = command;
  if (words.empty()) {
    words.push_back((platform::executable_directory() / "rooftile-worker").string());
  }
  for (const auto& folder : kernel_folders) {
    words.insert(words.end(), {"--kernels", path_for_worker(command, folder)});
  }
  return words;
}

std::filesystem::path error_log(const std::filesystem::path& journal, const std::string& part) {
  return journal.empty() ? nowhere : journal.string() + part + ".log";
}

std::string last_line(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string last;
  for (std::string line; std::getline(in, line);) {
    last = line.empty() ? last : line;
  }
  return last;
}

}  // namespace rooftile
