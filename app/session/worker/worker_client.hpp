// The near end of the worker's pipe: a thread reads its lines, the owner takes what has come whenever it likes.
#pragma once

#include <chrono>
#include <filesystem>
#include <semaphore>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "analysis/platform/platform.hpp"
#include "analysis/record/records.hpp"
#include "app/session/hand_over.hpp"

namespace rooftile {

// A line that is no record.
struct BadLine {
  std::string line;
  std::string why;
};

// The last message of a worker: "ended with status 1", "was ended by signal 11 (Segmentation fault)".
struct WorkerEnded {
  std::string how;
};

using WorkerMessage = std::variant<Record, BadLine, WorkerEnded>;

// Where a worker's standard error goes; an empty one is removed in the end.
class ErrorLog {
 public:
  explicit ErrorLog(const std::filesystem::path& file) : file_(file) {}
  ~ErrorLog();
  ErrorLog(const ErrorLog&) = delete;
  ErrorLog& operator=(const ErrorLog&) = delete;

 private:
  std::filesystem::path file_;
};

class Worker {
 public:
  // Throws Error when the program cannot be started.
  Worker(const std::vector<std::string>& command, const std::filesystem::path& error_log);
  ~Worker();  // asks it to end by closing its input; kills it when it does not

  // False once the worker is gone; take() says how it went.
  bool send(const std::vector<Request>& requests);
  std::vector<WorkerMessage> take() { return received_.take(); }
  void wait(std::chrono::milliseconds at_most) { received_.wait(at_most); }
  void kill() { process_.kill(); }

 private:
  void read();
  std::string how_it_ended();

  ErrorLog error_log_;
  platform::ChildProcess process_;
  HandOver<WorkerMessage> received_;
  std::binary_semaphore gone_{0};
  std::thread reader_;
};

}  // namespace rooftile
