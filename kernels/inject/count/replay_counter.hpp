// Counts single launches of a program by kernel replay: CUPTI saves the GPU's memory and runs the launch once
// for every pass.
#pragma once

#include "kernels/worker/count/range_profiler.hpp"

namespace rooftile::inject {

class ReplayCounter {
 public:
  // For launches in one context. All throw CuptiError.
  ReplayCounter(const worker::Cupti& cupti, const worker::CounterConfig& config, CUcontext context)
      : config_(&config), profiler_(cupti, context, config, 1, worker::Replay::kernel) {}

  // The next launch is counted; no other may be made until end().
  void begin();
  // Call it after the launch. Empty if the counters came back as no numbers.
  std::optional<Counters> end();

 private:
  const worker::CounterConfig* config_;
  worker::RangeProfiler profiler_;
};

}  // namespace rooftile::inject
