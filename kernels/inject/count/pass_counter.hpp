// Counts launches of a program without replay: each counted launch runs once, in one pass, and a kernel and
// shape is complete after as many launches as there are passes. Each launch has a start and a stop of its own,
// 26 ms (H200). CUPTI's trace of kernels has to be off meanwhile: with it counters of patched kernels (FLOPs)
// came back as 0, and hardware counters held the patches' own instructions (H100, CUDA 13.0).
#pragma once

#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "kernels/worker/count/range_profiler.hpp"
#include "kernels/worker/cuda/driver.hpp"

namespace rooftile::inject {

// The counters of a kernel and shape, by its number.
using CountedGroups = std::map<std::size_t, Counters>;

// Turns the trace of kernels off and on again.
using SwitchTrace = std::function<void(bool on)>;

class PassCounter {
 public:
  // For launches in one context. All throw CuptiError, or Error if the GPU does not become idle.
  PassCounter(const worker::Cupti& cupti, const worker::Driver& driver, const worker::CounterConfig& config,
              CUcontext context, SwitchTrace switch_trace)
      : driver_(&driver),
        config_(&config),
        switch_trace_(std::move(switch_trace)),
        profiler_(cupti, context, config, 1, worker::Replay::user) {}

  // The next launch, one of this group, is counted in its next pass; no other may be made until end().
  void begin(std::size_t group);
  void end();
  // Groups that became complete since this was last asked.
  CountedGroups take_complete();

 private:
  void finish_pass();

  struct Progress {
    std::vector<std::uint8_t> image;  // of its counter data
    int passes = 0;                   // counted
  };

  const worker::Driver* driver_;
  const worker::CounterConfig* config_;
  SwitchTrace switch_trace_;
  std::map<std::size_t, Progress> incomplete_;
  std::size_t current_ = 0;
  worker::RangeProfiler profiler_;  // goes before the images
  CountedGroups complete_;
};

}  // namespace rooftile::inject
