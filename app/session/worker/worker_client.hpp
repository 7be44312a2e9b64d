// The near end of the worker's pipe: a thread reads its lines, the owner takes what has come whenever it likes.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "analysis/record/records.hpp"

namespace rooftile {

// A line that is no record.
struct BadLine {
  std::string line;
  std::string why;
  bool of_other_version = false;
};

// The last message of a worker: "ended with status 1", "was ended by signal 11 (Segmentation fault)".
struct WorkerEnded {
  std::string how;
};

using WorkerMessage = std::variant<Record, BadLine, WorkerEnded>;

// The file of a worker's standard error; an empty file is removed with the last worker that writes there.
class ErrorLog {
 public:
  explicit ErrorLog(const std::filesystem::path& file);
  ~ErrorLog();
  ErrorLog(const ErrorLog&) = delete;
  ErrorLog& operator=(const ErrorLog&) = delete;

 private:
  std::filesystem::path file_;
};

class Worker {
 public:
  static constexpr std::chrono::milliseconds usual_patience{500};

  // Throws Error when the program cannot be started.
  Worker(const std::vector<std::string>& command, const std::filesystem::path& error_log,
         std::chrono::milliseconds patience = usual_patience);
  // Asks the worker to end by closing its input, and returns at once. A thread waits for the end, and kills the
  // worker when the patience is over. This program waits for that thread when it ends itself.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Blocks until every worker that was left to end has ended, and its log is closed.
  static void wait_for_endings();

  // False once the worker is gone; take() says how it went.
  bool send(const std::vector<Request>& requests);
  std::vector<WorkerMessage> take();
  void wait(std::chrono::milliseconds at_most);
  void kill();

 private:
  class Process;
  std::unique_ptr<Process> process_;
};

}  // namespace rooftile
