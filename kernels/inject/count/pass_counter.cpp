#include "kernels/inject/count/pass_counter.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "kernels/inject/count/idle_wait.hpp"

namespace rooftile::inject {
namespace {

using namespace std::chrono_literals;

// A stretch lasts until it met all kernels that were seen since the one before, or until it finds no more while
// eight layers, or steps, of those that it found go by; as long as changes of stretches are cheap, one.
constexpr std::chrono::milliseconds spent_in_haste = 100ms, longest_wait = 250ms;
constexpr std::size_t patience = 8;

constexpr std::size_t most_turned_away = 256;

// A kernel whose launches all fall into stretches has no other time than that of a counted one.
constexpr int most_left_to_trace = 2;

}  // namespace

PassCounter::~PassCounter() {
  if (in_stretch_) {
    switch_trace_(true);
  }
}

bool PassCounter::begin(std::size_t group, bool has_time) {
  Progress& progress = incomplete_[group];
  progress.seen = stretches_;
  if (!has_time && (!in_stretch_ || progress.left_to_trace++ < most_left_to_trace)) {
    return false;
  }
  if (!has_room_for(progress) ||
      (in_stretch_ ? !lacks(progress, profiler_.pass()) : !is_worth_beginning(progress))) {
    return false;
  }
  if (!wait_until_idle(*driver_)) {
    throw Error("The GPU was still busy with earlier launches after 2 s.");
  }
  if (!in_stretch_) {
    begin_stretch(progress);
  }
  progress.range = progress.range ? *progress.range : ranges_++;
  begun_.insert(group);
  progress.passes.insert(profiler_.pass());
  counted_.push_back(group);
  passed_by_ = in_haste() ? passed_by_ : 0;
  profiler_.push(std::to_string(*progress.range));
  turned_away_ = 0;
  return true;
}

void PassCounter::end() {
  profiler_.pop();
  wait_until_idle(*driver_);
  last_counted_ = Clock::now();
}

// A full image is cleared once nothing in it goes on. What was incomplete there begins again.
bool PassCounter::has_room_for(const Progress& progress) {
  if (progress.range || ranges_ < most_ranges) {
    return true;
  }
  if (in_stretch_ || (++turned_away_ < most_turned_away && !begun_.empty())) {
    return false;
  }
  profiler_.clear();
  ranges_ = 0;
  begun_.clear();
  for (auto& [group, other] : incomplete_) {
    other = {};
  }
  return true;
}

bool PassCounter::lacks(const Progress& progress, int pass) const {
  return !progress.passes.contains(pass) && config_->needs_pass(pass, progress.values);
}

// Whether it may soon be launched, as it was since the last stretch began, and counted in this pass.
bool PassCounter::awaits(const Progress& progress, int pass) const {
  const bool has_room = progress.range || ranges_ < most_ranges;
  return has_room && progress.seen + 1 >= stretches_ && lacks(progress, pass);
}

// Each pass that is skipped takes 10 ms (H200). A launch that lacks none but later passes is put off until
// those come that lack one before.
bool PassCounter::is_worth_beginning(const Progress& first) {
  for (int ahead = 0; ahead < config_->passes(); ++ahead) {
    const int pass = (profiler_.pass() + ahead) % config_->passes();
    if (lacks(first, pass)) {
      return true;
    }
    if (std::ranges::any_of(begun_, [&](std::size_t group) { return awaits(incomplete_.at(group), pass); })) {
      return ++put_off_ > begun_.size();
    }
  }
  return true;
}

// Passes that this group does not need are skipped.
void PassCounter::begin_stretch(const Progress& first) {
  const auto begun = Clock::now();
  switch_trace_(false);
  in_stretch_ = true;
  profiler_.start();
  for (int skipped = 0; !lacks(first, profiler_.pass()) && skipped < config_->passes(); ++skipped) {
    profiler_.stop();
    profiler_.start();
  }
  ++stretches_;
  passed_by_ = 0;
  put_off_ = 0;
  spent_ = spent_ ? *spent_ + (Clock::now() - begun) : 0s;
}

bool PassCounter::in_haste() const {
  return spent_.value_or(0s) < spent_in_haste || Clock::now() - last_counted_ > longest_wait;
}

bool PassCounter::is_worth_ending() const {
  const auto is_awaited = [&](const auto& each) { return awaits(each.second, profiler_.pass()); };
  return std::ranges::none_of(incomplete_, is_awaited) ||
         passed_by_ >= (in_haste() ? 1 : patience) * counted_.size();
}

void PassCounter::pass_by() {
  ++passed_by_;
  if (in_stretch_ && is_worth_ending()) {
    end_stretch();
  }
}

void PassCounter::end_stretch() {
  if (!in_stretch_) {
    return;
  }
  const auto begun = Clock::now();
  profiler_.stop();
  profiler_.decode();
  in_stretch_ = false;
  switch_trace_(true);
  *spent_ += Clock::now() - begun;
  for (const std::size_t group : std::exchange(counted_, {})) {
    settle(group);
  }
}

bool PassCounter::is_complete(const Progress& progress) const {
  for (int pass = 0; pass < config_->passes(); ++pass) {
    if (lacks(progress, pass)) {
      return false;
    }
  }
  return true;
}

// Ends a group that was counted in all passes that it needs.
void PassCounter::settle(std::size_t group) {
  Progress& progress = incomplete_.at(group);
  progress.values = config_->values(profiler_.counter_data(), *progress.range);
  if (!is_complete(progress)) {
    return;
  }
  if (config_->uses_tensor(progress.values) == false) {
    config_->set_tensor_to_zero(progress.values);
  }
  Counters counters = store_counted(config_->metrics(), progress.values);
  counters.passes = static_cast<int>(progress.passes.size());
  complete_[group] = std::move(counters);
  incomplete_.erase(group);
  begun_.erase(group);
}

CountedGroups PassCounter::incomplete() const {
  CountedGroups groups;
  for (const auto& [group, progress] : incomplete_) {
    if (progress.range) {
      groups[group] =
          store_counted(config_->metrics(), config_->values(profiler_.counter_data(), *progress.range));
    }
  }
  return groups;
}

CountedGroups PassCounter::take_complete() {
  return std::exchange(complete_, {});
}

}  // namespace rooftile::inject
