// The records of one process of the program, for rooftile: a session file of its own in the folder.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "analysis/platform/write_file.hpp"
#include "analysis/record/records.hpp"
#include "kernels/inject/launch_log.hpp"

namespace rooftile::inject {

class RecordFile {
 public:
  // Throws Error where no file can be made.
  explicit RecordFile(const std::filesystem::path& folder);

  void write(const std::vector<Facility>& facilities);
  // Once for each device.
  void write(int device, const Gpu& gpu, const std::string& driver);
  bool knows(int device) const { return gpus_.contains(device); }

  std::size_t devices() const { return gpus_.size(); }

  // Writes the points that changed, now and then: a program that is killed loses the rest. The longer the
  // program has run, the longer the pauses between writes, so that the file stays small.
  void write_sometimes(LaunchLog& log);
  // Writes one point at once, for people who watch the program run.
  void write_now(const LaunchLog& log, std::size_t group) { write(log, group, false); }
  void write_changed(LaunchLog& log);
  void write_final(const LaunchLog& log);

 private:
  using Clock = std::chrono::steady_clock;
  void write(const LaunchLog& log, std::size_t group, bool final);

  void append(const Record& record) { file_.append(to_line(record)); }

  platform::GrowingFile file_;
  std::map<int, Gpu> gpus_;
  Clock::time_point begun_ = Clock::now(), next_ = Clock::now();
};

}  // namespace rooftile::inject
