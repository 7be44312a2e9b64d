#include "kernels/inject/count/replay_rule.hpp"

#include <fmt/format.h>

namespace rooftile::inject {
namespace {

constexpr int launches_that_repeat = 4;
constexpr Seconds most_spent{3};

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
  if (is_open() && spent_ > most_spent) {
    stop(fmt::format("replays had taken {:.0f} s", most_spent.value));
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
