#include "kernels/inject/count/replay_rule.hpp"

#include <algorithm>

namespace rooftile::inject {
namespace {

constexpr int launches_that_repeat = 4;
constexpr Seconds spent_at_once{1};
constexpr double share_of_time = 0.1;

}  // namespace

ReplayRule::ReplayRule(ReplayUse use) : use_(use) {
  if (use == ReplayUse::never) {
    reason_ = "--replay never";
  }
}

void ReplayRule::launched(std::size_t group) {
  if (is_open() && ++launches_[group] >= launches_that_repeat) {
    stop("a kernel was launched 4 times");
  }
}

void ReplayRule::replayed(Seconds cost) {
  spent_ += cost;
  ++replays_;
}

bool ReplayRule::affords_another(Seconds running) const {
  const double next = replays_ == 0 ? 0 : spent_.value / replays_;
  return use_ != ReplayUse::seldom ||
         spent_.value + next <= std::max(spent_at_once.value, share_of_time * running.value);
}

void ReplayRule::sees_memory(double free, double total) {
  if (2 * free < total) {
    stop("more than half of the GPU's memory is in use");
  }
}

void ReplayRule::stop(const std::string& reason) {
  if (is_open()) {
    reason_ = reason;
    launches_.clear();
  }
}

}  // namespace rooftile::inject
