#include "kernels/inject/count/pass_counter.hpp"

#include <utility>

#include "kernels/inject/count/idle_wait.hpp"

namespace rooftile::inject {

void PassCounter::begin(std::size_t group) {
  if (!wait_until_idle(*driver_)) {
    throw Error("The GPU was still busy with earlier launches after 2 s.");
  }
  current_ = group;
  switch_trace_(false);
  try {
    Progress& progress = incomplete_[group];
    profiler_.choose_pass(progress.image, progress.passes);
    profiler_.start();
    profiler_.push("launch");
  } catch (...) {
    switch_trace_(true);
    throw;
  }
}

void PassCounter::end() {
  try {
    finish_pass();
  } catch (...) {
    switch_trace_(true);
    throw;
  }
  switch_trace_(true);
}

void PassCounter::finish_pass() {
  profiler_.pop();
  wait_until_idle(*driver_);
  profiler_.stop();
  profiler_.decode();
  Progress& progress = incomplete_.at(current_);
  if (++progress.passes < config_->passes()) {
    return;
  }
  Counters counters = store_counted(config_->metrics(), config_->values(progress.image, 0));
  counters.passes = progress.passes;
  complete_[current_] = std::move(counters);
  incomplete_.erase(current_);
}

CountedGroups PassCounter::take_complete() {
  return std::exchange(complete_, {});
}

}  // namespace rooftile::inject
