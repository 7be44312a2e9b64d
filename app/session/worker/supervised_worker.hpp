// The session's worker over its whole life: started, ended if it is silent for too long, started again when it
// has ended, given up if that does not help. The session knows which launch is to blame for an end.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/record/records.hpp"
#include "app/session/worker/worker_client.hpp"

namespace rooftile {

struct SupervisedWorkerOptions {
  std::vector<std::string> command;
  std::filesystem::path error_log;
  std::chrono::milliseconds launch_limit{};   // a worker that owes an answer and is silent for so long is ended
  int restart_limit = 3;                      // of ends by itself in a row, without progress between
  std::chrono::milliseconds restart_pause{};  // before one that was never ready is tried again
};

class SupervisedWorker {
 public:
  explicit SupervisedWorker(SupervisedWorkerOptions options) : options_(std::move(options)) {}

  // Replaces an earlier worker. A worker that cannot be started is given up.
  void start();
  void use(std::vector<std::string> command) {
    options_.command = std::move(command);
  }  // from the next start on
  bool running() const { return worker_ != nullptr; }
  // True if it has sent its header, and the device that it announces.
  bool ready() const { return worker_ != nullptr && introduced_; }
  bool starts() const { return next_start_ || (worker_ && !introduced_); }
  bool given_up() const { return !worker_ && !next_start_; }
  // Why it is missing, told once.
  std::optional<Facility> take_why_given_up() { return std::exchange(why_given_up_, std::nullopt); }

  void send(const std::vector<Request>& requests);
  // The messages since the last call. The last message of a worker that has ended is its end: call recover()
  // then. Never blocks.
  std::vector<WorkerMessage> take();
  // Blocks until there is something to take, at most so long.
  void wait(std::chrono::milliseconds at_most);

  // How long it has been silent although it owes an answer or its header, and when it counts as hung.
  struct Silence {
    Seconds so_far, left;
  };
  std::optional<Silence> silence(bool owes_answer) const;
  void end_if_hung(bool owes_answer);
  void wait_longer() { last_sign_of_life_ = Clock::now(); }  // the limit counts anew
  // Ends the worker. take() returns its last messages, then its end.
  void end(std::string why);

  // After a worker has ended:
  bool said_farewell() const { return said_farewell_ && has_answered_; }  // because of an answered launch
  bool was_ended() const { return why_ended_.has_value(); }               // by end() or end_if_hung()
  // Starts another worker, at once or, if the old one was never ready, after a pause, or gives up. at_work:
  // what the old one was doing, " while measuring ...". Returns what happened as a sentence.
  std::string recover(const WorkerEnded& ended, const std::string& at_work);
  void note_progress() { ended_in_a_row_ = 0; }  // an answer is finished

 private:
  using Clock = std::chrono::steady_clock;
  void note(const Record& record);
  void note_header(const Header& header);
  std::string try_later(const std::string& sentence);
  std::string give_up(std::string sentence);

  SupervisedWorkerOptions options_;
  std::unique_ptr<Worker> worker_;
  std::optional<Clock::time_point> next_start_;  // of one that was not ready last time
  std::optional<Facility> why_given_up_;
  std::optional<std::string> why_ended_;  // by end(): "The launch was stopped"
  Clock::time_point last_sign_of_life_;
  bool has_header_ = false, introduced_ = false, has_answered_ = false, said_farewell_ = false;
  bool is_of_other_version_ = false;
  int ended_in_a_row_ = 0;
};

}  // namespace rooftile
