#include "app/session/worker/worker_command.hpp"

#include <fmt/format.h>

#include <fstream>
#include <utility>

#include "analysis/platform/platform.hpp"
#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

constexpr const char* nowhere = "/dev/null";

}  // namespace

std::vector<std::string> split_command(std::string_view line) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;  // that is open
  for (const char letter : line) {
    if (quote == 0 && (letter == ' ' || letter == '\t' || letter == '\n')) {
      in_word = false;
      continue;
    }
    if (!std::exchange(in_word, true)) {
      words.emplace_back();
    }
    if (letter == quote) {
      quote = 0;
    } else if (quote == 0 && (letter == '"' || letter == '\'')) {
      quote = letter;
    } else {
      words.back() += letter;
    }
  }
  if (quote != 0) {
    throw Error("The command of the worker has a quote that is not closed: " + std::string(line));
  }
  return words;
}

std::vector<std::string> command_on(const std::string& host) {
  if (host.empty() || host.starts_with('-') || host.find_first_of(" \t\n") != std::string::npos) {
    throw Error(fmt::format("\"{}\" is no host: name it as ssh does, as in user@host.", host));
  }
  const std::filesystem::path data = platform::data_directory();
  return {"/bin/sh", (data / "assets/on_host.sh").string(),
          (platform::executable_directory() / "rooftile-worker").string(), data.string(), host};
}

std::string path_for_worker(const std::vector<std::string>& command, const std::filesystem::path& path) {
  if (command.empty()) {
    return path.string().starts_with('-') ? (std::filesystem::path(".") / path).string() : path.string();
  }
  return std::filesystem::absolute(path).lexically_normal().string();
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
