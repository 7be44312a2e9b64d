// Lines of standard input, read in a thread of their own so that waiting can have a limit.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <istream>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace rooftile::worker {

class LineReader {
 public:
  explicit LineReader(std::istream& in);

  enum class State { line, timeout, end };
  // The next line in `line`; waits at most so long.
  State next(std::string& line, std::chrono::milliseconds at_most);

 private:
  struct Shared {
    std::mutex mutex;
    std::condition_variable arrived;
    std::deque<std::string> lines;
    bool ended = false;
  };
  // Shared with the thread, which may outlive the reader: a blocked read cannot be interrupted.
  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
};

}  // namespace rooftile::worker
