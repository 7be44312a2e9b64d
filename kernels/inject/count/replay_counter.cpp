#include "kernels/inject/count/replay_counter.hpp"

namespace rooftile::inject {

void ReplayCounter::begin() {
  profiler_.clear();
  profiler_.start();
}

std::optional<Counters> ReplayCounter::end() {
  profiler_.stop();
  profiler_.decode();
  Counters counters = store_counted(config_->metrics(), config_->values(profiler_.counter_data(), 0));
  counters.passes = config_->passes();
  return counters.metrics.empty() ? std::nullopt : std::optional(std::move(counters));
}

}  // namespace rooftile::inject
