#include "kernels/inject/record_file.hpp"

#include <fmt/chrono.h>
#include <unistd.h>

#include <algorithm>

namespace rooftile::inject {
namespace {

using namespace std::chrono_literals;

// A process may become another program (exec) under the same number.
std::filesystem::path file_in(const std::filesystem::path& folder) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return folder / fmt::format("{}-{}.jsonl", getpid(),
                              std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

}  // namespace

RecordFile::RecordFile(const std::filesystem::path& folder)
    : file_(file_in(folder), platform::any_kind, platform::Existing::refused) {}

void RecordFile::write(const std::vector<Facility>& facilities) {
  Header header;
  header.made_by = "rooftile " ROOFTILE_VERSION;
  header.date = fmt::format("{:%FT%TZ}", fmt::gmtime(std::time(nullptr)));
  header.facilities = facilities;
  append(header);
}

void RecordFile::write(int device, const Gpu& gpu, const std::string& driver) {
  gpus_[device] = gpu;
  append(DeviceRecord{gpu, driver});
}

void RecordFile::write(const LaunchLog& log, std::size_t group, bool final) {
  const auto gpu = gpus_.find(log.device_of(group));
  Point point = log.point(group, gpu == gpus_.end() ? Gpu{} : gpu->second);
  point.final = final;
  append(point);
}

void RecordFile::write_sometimes(LaunchLog& log) {
  const auto now = Clock::now();
  if (now >= next_) {
    write_changed(log);
    next_ = now + std::clamp<Clock::duration>((now - begun_) / 10, 1s, 60s);
  }
}

void RecordFile::write_changed(LaunchLog& log) {
  for (const std::size_t group : log.take_changed()) {
    if (log.has_launches(group)) {
      write(log, group, false);
    }
  }
}

void RecordFile::write_final(const LaunchLog& log) {
  for (std::size_t group = 0; group < log.size(); ++group) {
    if (log.has_launches(group)) {
      write(log, group, true);
    }
  }
}

}  // namespace rooftile::inject
