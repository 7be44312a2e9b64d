#include "kernels/inject/pass_counter.hpp"

#include <algorithm>
#include <utility>

#include "kernels/inject/idle_wait.hpp"

namespace rooftile::inject {
namespace {

// A patched launch becomes slower with the room there is: 64 ranges cost nothing, 512 do (H200).
constexpr std::uint32_t most_members = 32;
// Launches of others that a batch waits for a member: many times its number.
constexpr std::size_t most_turned_away = 256;

}  // namespace

PassCounter::PassCounter(const worker::Cupti& cupti, const worker::Driver& driver,
                         const worker::CounterConfig& config, CUcontext context)
    : driver_(&driver),
      config_(&config),
      profiler_(cupti, context, config, most_members, worker::Replay::user) {}

bool PassCounter::begin(std::size_t group) {
  if (pass_ == 0 && joins(group)) {
    batch_.push_back({group});
  } else if (pass_ == 0 || !is_its_turn(group)) {
    return false;
  }
  if (!wait_until_idle(*driver_)) {
    throw Error("The GPU was still busy with earlier launches after 2 s.");
  }
  start();
  profiler_.push(std::to_string(next_));
  return true;
}

void PassCounter::end() {
  profiler_.pop();
  wait_until_idle(*driver_);
  ++next_;
  turned_away_ = 0;
  if (pass_ > 0) {
    skip_lost();
  }
}

// The first pass ends once the program repeats half as many launches as it has counted. That may leave the
// batch in the next pass, or complete.
bool PassCounter::joins(std::size_t group) {
  const bool is_full = batch_.size() == most_members;
  const bool is_member = std::ranges::find(batch_, group, &Member::group) != batch_.end();
  if (!is_full && !is_member) {
    return true;
  }
  if (is_full || 2 * ++turned_away_ >= batch_.size()) {
    end_pass();
  }
  return pass_ == 0 && batch_.empty() && !is_member;
}

bool PassCounter::is_its_turn(std::size_t group) {
  if (batch_[next_].group == group) {
    return true;
  }
  for (Member& member : batch_) {
    member.seen = member.seen || member.group == group;
  }
  if (++turned_away_ >= most_turned_away) {
    lose_unseen();
  }
  return false;
}

void PassCounter::lose_unseen() {
  turned_away_ = 0;
  batch_[next_].lost = true;
  for (std::size_t i = next_; i < batch_.size(); ++i) {
    batch_[i].lost = batch_[i].lost || !batch_[i].seen;
  }
  skip_lost();
}

void PassCounter::start() {
  if (running_) {
    return;
  }
  if (pass_ == 0) {
    profiler_.clear();
  }
  profiler_.start();
  running_ = true;
}

// Lost members have an empty range in each pass, so that the others keep their places.
void PassCounter::skip_lost() {
  while (!batch_.empty()) {
    for (; next_ < batch_.size() && batch_[next_].lost; ++next_) {
      start();
      profiler_.push(std::to_string(next_));
      profiler_.pop();
    }
    if (next_ < batch_.size()) {
      return;
    }
    end_pass();
  }
}

void PassCounter::end_pass() {
  running_ = false;
  next_ = 0;
  turned_away_ = 0;
  ++pass_;
  for (Member& member : batch_) {
    member.seen = false;
  }
  if (profiler_.stop()) {
    collect();
  }
}

void PassCounter::collect() {
  profiler_.decode();
  for (std::size_t i = 0; i < batch_.size(); ++i) {
    Counters counters = store_counted(config_->metrics(), config_->values(profiler_.counter_data(), i));
    counters.passes = config_->passes();
    if (!batch_[i].lost && !counters.metrics.empty()) {
      complete_[batch_[i].group] = std::move(counters);
    }
  }
  batch_.clear();
  pass_ = 0;
}

void PassCounter::close() {
  if (std::exchange(running_, false)) {
    profiler_.stop();
  }
}

CountedGroups PassCounter::take_complete() {
  return std::exchange(complete_, {});
}

}  // namespace rooftile::inject
