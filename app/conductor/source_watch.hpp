// Whether the file on the screen was saved meanwhile.
#pragma once

#include <filesystem>

namespace rooftile::conductor {

enum class FileChange { none, another, saved };

class SourceWatch {
 public:
  // saved: true once after each save; another: not the file of the last call. now: [s]; a file is looked at
  // three times per second.
  FileChange look(const std::filesystem::path& file, double now);

 private:
  std::filesystem::path file_;
  std::filesystem::file_time_type written_{};
  double next_look_ = 0;  // [s]
};

}  // namespace rooftile::conductor
