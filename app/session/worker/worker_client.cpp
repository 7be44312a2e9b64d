#include "app/session/worker/worker_client.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <semaphore>
#include <thread>
#include <utility>

#include "analysis/platform/platform.hpp"
#include "analysis/text/error.hpp"
#include "app/session/hand_over.hpp"

namespace rooftile {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t most_quoted = 200;  // of a line that is no record

// Empty for a record of a newer version, which is skipped.
std::optional<WorkerMessage> message_of(const std::string& line) {
  try {
    if (auto record = parse_record(line)) {
      return std::move(*record);
    }
    return std::nullopt;
  } catch (const OtherVersion& error) {
    return BadLine{line.substr(0, most_quoted), error.what(), true};
  } catch (const Error& error) {
    return BadLine{line.substr(0, most_quoted), error.what()};
  }
}

// How many workers write each log: a new worker may begin before the old one has ended.
struct LogUsers {
  std::mutex mutex;
  std::map<std::filesystem::path, int> count;
};

LogUsers& log_users() {
  static LogUsers users;
  return users;
}

}  // namespace

ErrorLog::ErrorLog(const std::filesystem::path& file) : file_(file) {
  LogUsers& users = log_users();
  const std::lock_guard lock(users.mutex);
  ++users.count[file_];
}

ErrorLog::~ErrorLog() {
  LogUsers& users = log_users();
  const std::lock_guard lock(users.mutex);
  if (--users.count[file_] > 0) {
    return;
  }
  users.count.erase(file_);
  std::error_code ignored;
  if (std::filesystem::is_regular_file(file_, ignored) && std::filesystem::is_empty(file_, ignored)) {
    std::filesystem::remove(file_, ignored);
  }
}

// The program and the thread that reads what it says.
class Worker::Process {
 public:
  Process(const std::vector<std::string>& command, const std::filesystem::path& error_log,
          std::chrono::milliseconds patience)
      : patience_(patience), error_log_(error_log), process_(command, error_log), reader_([this] { read(); }) {}
  // Blocks until the program has ended.
  ~Process() {
    process_.close_input();
    if (!gone_.try_acquire_for(patience_)) {
      kill();
    }
    reader_.join();
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  bool write_line(const std::string& line) { return process_.write_line(line); }
  HandOver<WorkerMessage>& received() { return received_; }
  void kill() { process_.kill(); }

 private:
  void read();
  std::string how_it_ended();

  std::chrono::milliseconds patience_;
  ErrorLog error_log_;
  platform::ChildProcess process_;
  HandOver<WorkerMessage> received_;
  std::binary_semaphore gone_{0};
  std::thread reader_;
};

void Worker::Process::read() {
  while (const auto line = process_.read_line()) {
    if (auto message = message_of(*line)) {
      received_.put(std::move(*message));
    }
  }
  received_.put(WorkerEnded{how_it_ended()});
  gone_.release();
}

// A program closes its output a moment before it is gone; one that stays on without output is no worker.
std::string Worker::Process::how_it_ended() {
  for (auto waited = 0ms;; waited += 1ms) {
    if (const auto how = process_.how_it_ended()) {
      return *how;
    }
    if (waited == usual_patience) {
      process_.kill();
    }
    std::this_thread::sleep_for(1ms);
  }
}

namespace {

// Each waits for the end of one worker. Only the thread that owns workers may use them.
std::vector<std::future<void>>& endings() {
  static std::vector<std::future<void>> all;
  std::erase_if(all, [](const auto& each) { return each.wait_for(0s) == std::future_status::ready; });
  return all;
}

}  // namespace

Worker::Worker(const std::vector<std::string>& command, const std::filesystem::path& error_log,
               std::chrono::milliseconds patience)
    : process_(std::make_unique<Process>(command, error_log, patience)) {}

// The next worker needs longer to get ready than this one may take to leave the device.
Worker::~Worker() {
  endings().push_back(
      std::async(std::launch::async, [process = std::move(process_)]() mutable { process.reset(); }));
}

void Worker::wait_for_endings() {
  endings().clear();
}

// In one piece, so that the worker finds them together.
bool Worker::send(const std::vector<Request>& requests) {
  std::vector<std::string> lines;
  std::ranges::transform(requests, std::back_inserter(lines),
                         [](const Request& request) { return to_line(request); });
  return process_->write_line(fmt::format("{}", fmt::join(lines, "\n")));
}

std::vector<WorkerMessage> Worker::take() {
  return process_->received().take();
}

void Worker::wait(std::chrono::milliseconds at_most) {
  process_->received().wait(at_most);
}

void Worker::kill() {
  process_->kill();
}

}  // namespace rooftile
