// How far long work has come, on standard error.
#pragma once

#include <chrono>
#include <string>

namespace rooftile::cli {

// On a terminal one line that is written over and wiped at the end; elsewhere a plain line every ten seconds.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void show(const std::string& words);

 private:
  using Clock = std::chrono::steady_clock;
  bool on_terminal_;
  bool shown_ = false;
  Clock::time_point last_ = Clock::now();
};

}  // namespace rooftile::cli
