#include "app/session/worker/supervised_worker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"
#include "app/session/worker/launch_limit.hpp"
#include "app/session/worker/worker_command.hpp"

namespace rooftile {
namespace {

// The last record about something that was asked for.
bool is_answer(const Record& record) {
  const auto* point = std::get_if<Point>(&record);
  const auto* roofs = std::get_if<RoofsRecord>(&record);
  return (point && point->final) || (roofs && roofs->id) || std::holds_alternative<SourceProfile>(record);
}

}  // namespace

void SupervisedWorker::start() {
  has_header_ = introduced_ = has_answered_ = said_farewell_ = is_of_other_version_ = false;
  why_ended_.reset();
  why_given_up_.reset();
  next_start_.reset();
  last_sign_of_life_ = Clock::now();
  worker_.reset();
  try {
    worker_ = std::make_unique<Worker>(options_.command, options_.error_log);
  } catch (const Error& error) {
    ended_in_a_row_ = 0;
    why_given_up_ = {"worker", Facility::State::missing,
                     fmt::format("The worker cannot be started: {}.", error.what()),
                     "rooftile is built with a worker where CUDA is; --worker names another one.", ""};
  }
}

void SupervisedWorker::send(const std::vector<Request>& requests) {
  last_sign_of_life_ = Clock::now();
  worker_->send(requests);  // a worker that is gone says so by its last message
}

std::vector<WorkerMessage> SupervisedWorker::take() {
  if (next_start_ && Clock::now() >= *next_start_) {
    start();
  }
  if (!worker_) {
    return {};
  }
  std::vector<WorkerMessage> messages = worker_->take();
  for (const WorkerMessage& message : messages) {
    if (const auto* record = std::get_if<Record>(&message)) {
      note(*record);
    }
    if (const auto* bad = std::get_if<BadLine>(&message); bad && bad->of_other_version) {
      is_of_other_version_ = true;
      end(fmt::format("The worker cannot be understood: {}. Use a worker of the same version", bad->why));
    }
  }
  return messages;
}

void SupervisedWorker::note(const Record& record) {
  last_sign_of_life_ = Clock::now();
  if (const auto* header = std::get_if<Header>(&record)) {
    note_header(*header);
  }
  introduced_ |= has_header_ && std::holds_alternative<DeviceRecord>(record);
  has_answered_ |= is_answer(record);
  said_farewell_ |= std::holds_alternative<Farewell>(record);
}

// The first one says whether a device follows.
void SupervisedWorker::note_header(const Header& header) {
  introduced_ |= !has_header_ && !header.is_ready("device");
  has_header_ = true;
}

void SupervisedWorker::wait(std::chrono::milliseconds at_most) {
  if (worker_) {
    worker_->wait(at_most);
  } else if (next_start_) {
    std::this_thread::sleep_for(std::min(at_most, options_.restart_pause));
  }
}

std::optional<SupervisedWorker::Silence> SupervisedWorker::silence(bool owes_answer) const {
  if (!worker_ || (introduced_ && !owes_answer)) {
    return std::nullopt;
  }
  const auto so_far = Clock::now() - last_sign_of_life_;
  return Silence{seconds(so_far), seconds(options_.launch_limit - so_far)};
}

void SupervisedWorker::end_if_hung(bool owes_answer) {
  const auto silent = silence(owes_answer);
  if (silent && silent->left.value <= 0) {
    end(fmt::format("The worker {} for {}, the limit of one launch, and was ended",
                    has_header_ && !introduced_ ? "announced a device and sent none" : "was silent",
                    text(seconds(options_.launch_limit))));
  }
}

void SupervisedWorker::end(std::string why) {
  if (worker_ && !why_ended_) {
    why_ended_ = std::move(why);
    worker_->kill();
  }
}

std::string SupervisedWorker::recover(const WorkerEnded& ended, const std::string& at_work) {
  const std::string sentence = why_ended_.value_or("The worker " + ended.how) + at_work;
  // A worker that was ended because its launch hung is well itself: it does not count, however many launches
  // hang.
  ended_in_a_row_ += introduced_ && was_ended() ? 0 : 1;
  if (is_of_other_version_) {
    return give_up(sentence);
  }
  if (ended_in_a_row_ >= options_.restart_limit) {
    return give_up(introduced_ ? sentence
                               : fmt::format("{} before it was ready, {} times", sentence, ended_in_a_row_));
  }
  if (!introduced_) {
    return try_later(sentence);
  }
  start();
  return sentence + "; the worker was started again.";
}

std::string SupervisedWorker::try_later(const std::string& sentence) {
  worker_.reset();
  next_start_ = Clock::now() + options_.restart_pause;
  return fmt::format("{} before it was ready; it is started again, {} of {}.", sentence, ended_in_a_row_ + 1,
                     options_.restart_limit);
}

std::string SupervisedWorker::give_up(std::string sentence) {
  sentence += "; the next request starts it again.";
  std::string fix;  // an empty log goes with the worker
  if (const std::string words = last_line(options_.error_log); !words.empty()) {
    sentence += " Its last words: " + words;
    fix = "Read " + options_.error_log.string() + ".";
  }
  worker_.reset();
  ended_in_a_row_ = 0;
  why_given_up_ = {"worker", Facility::State::failed, sentence, fix, ""};
  return sentence;
}

}  // namespace rooftile
