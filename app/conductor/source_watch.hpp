// Whether the source on the screen was saved meanwhile.
#pragma once

#include <filesystem>

namespace rooftile::conductor {

class SourceWatch {
 public:
  // True once after each save. now: [s]; the file is looked at three times a second. A file that was not asked
  // for last time counts from now on, as does one that comes back.
  bool saved(const std::filesystem::path& file, double now);

 private:
  std::filesystem::path file_;
  std::filesystem::file_time_type written_{};
  double next_look_ = 0;  // [s]
};

}  // namespace rooftile::conductor
