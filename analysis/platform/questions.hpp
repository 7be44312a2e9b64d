// Yes-or-no questions between two processes of a machine, over a socket that has a place among the files.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "analysis/platform/write_file.hpp"

namespace rooftile::platform {

using Answer = std::function<bool(const std::string& question)>;

// Answers as long as it lives, in a thread of its own.
class Answerer {
 public:
  // Throws Error where no socket can be made.
  Answerer(const std::filesystem::path& socket, Answer answer);
  ~Answerer();
  Answerer(const Answerer&) = delete;
  Answerer& operator=(const Answerer&) = delete;

 private:
  void serve() const;

  Answer answer_;
  Descriptor listening_, ended_;
  std::thread thread_;
};

// Empty if nobody answers within 5 s. Keeps nothing open.
std::optional<bool> ask(const std::filesystem::path& socket, std::string_view question);

}  // namespace rooftile::platform
