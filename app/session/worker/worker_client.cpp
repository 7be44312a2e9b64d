#include "app/session/worker/worker_client.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

using namespace std::chrono_literals;

constexpr auto patience_at_the_end = 500ms;
constexpr std::size_t most_quoted = 200;  // of a line that is no record

// Empty for a record of a newer version, which is skipped.
std::optional<WorkerMessage> message_of(const std::string& line) {
  try {
    if (auto record = parse_record(line)) {
      return std::move(*record);
    }
    return std::nullopt;
  } catch (const Error& error) {
    return BadLine{line.substr(0, most_quoted), error.what()};
  }
}

}  // namespace

ErrorLog::~ErrorLog() {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(file_, ignored) && std::filesystem::is_empty(file_, ignored)) {
    std::filesystem::remove(file_, ignored);
  }
}

Worker::Worker(const std::vector<std::string>& command, const std::filesystem::path& error_log)
    : error_log_(error_log), process_(command, error_log), reader_([this] { read(); }) {}

Worker::~Worker() {
  process_.close_input();
  if (!gone_.try_acquire_for(patience_at_the_end)) {
    kill();
  }
  reader_.join();
}

// In one piece, so that the worker finds them together.
bool Worker::send(const std::vector<Request>& requests) {
  std::vector<std::string> lines;
  std::ranges::transform(requests, std::back_inserter(lines),
                         [](const Request& request) { return to_line(request); });
  return process_.write_line(fmt::format("{}", fmt::join(lines, "\n")));
}

void Worker::read() {
  while (const auto line = process_.read_line()) {
    if (auto message = message_of(*line)) {
      received_.put(std::move(*message));
    }
  }
  received_.put(WorkerEnded{how_it_ended()});
  gone_.release();
}

// A program closes its output a moment before it is gone; one that stays on without output is no worker.
std::string Worker::how_it_ended() {
  for (auto waited = 0ms;; waited += 1ms) {
    if (const auto how = process_.how_it_ended()) {
      return *how;
    }
    if (waited == patience_at_the_end) {
      process_.kill();
    }
    std::this_thread::sleep_for(1ms);
  }
}

}  // namespace rooftile
