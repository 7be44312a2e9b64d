#include "kernels/inject/count/replay_rule.hpp"

#include <fmt/format.h>

namespace rooftile::inject {
namespace {

constexpr int launches_that_repeat = 4;
constexpr Seconds most_spent{1}, most_spent_by_threads{5};

}  // namespace

ReplayRule::ReplayRule(ReplayUse use) : use_(use) {
  if (use == ReplayUse::never) {
    reason_ = "--replay never";
  }
}

void ReplayRule::launched(std::size_t group) {
  if (is_open() && !several_threads_ && ++launches_[group] >= launches_that_repeat) {
    stop("a kernel was launched 4 times");
    for_passes_ = true;
  }
}

void ReplayRule::replayed(Seconds cost) {
  spent_ += cost;
  const Seconds most = several_threads_ ? most_spent_by_threads : most_spent;
  if (is_open() && spent_ > most) {
    for_passes_ = !several_threads_;
    stop(fmt::format("replays had taken {:.0f} s", most.value));
  }
}

void ReplayRule::sees_several_threads() {
  several_threads_ = true;
  if (for_passes_) {
    reason_.clear();
  }
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
