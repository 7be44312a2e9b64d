#include "app/conductor/source_watch.hpp"

#include <system_error>
#include <utility>

namespace rooftile::conductor {
namespace {

constexpr double between_looks = 0.3;  // [s]

}  // namespace

FileChange SourceWatch::look(const std::filesystem::path& file, double now) {
  const bool same = file == file_;
  if (file.empty() || (same && now < next_look_)) {
    return FileChange::none;
  }
  file_ = file;
  next_look_ = now + between_looks;
  std::error_code absent;  // while an editor replaces it
  const auto written = std::filesystem::last_write_time(file, absent);
  if (absent || (std::exchange(written_, written) == written && same)) {
    return FileChange::none;
  }
  return same ? FileChange::saved : FileChange::another;
}

}  // namespace rooftile::conductor
