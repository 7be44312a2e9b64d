// CUPTI's range profiler on one context, call by call. counter_session.hpp uses it for launches of our own,
// kernels/inject/ for launches of any program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/worker/count/counter_config.hpp"

namespace rooftile::worker {

// Who repeats the launches for every pass. user: we do; between start() and stop() one pass is counted, of
// ranges that are pushed and popped. kernel: CUPTI does, and saves and restores the GPU's memory; each launch
// between start() and stop() is a range.
enum class Replay { user, kernel };

// Enabled as long as it lives. A profiler keeps the configuration it was started with. Only one profiler of a
// GPU can be started. All throw CuptiError.
class RangeProfiler {
 public:
  // ranges: how many there is room for.
  RangeProfiler(const Cupti& cupti, CUcontext context, const CounterConfig& config, std::uint32_t ranges,
                Replay replay);
  ~RangeProfiler();
  RangeProfiler(const RangeProfiler&) = delete;
  RangeProfiler& operator=(const RangeProfiler&) = delete;

  void clear();  // forgets what was counted
  void start();  // the first one 150 ms, a later one up to 20 ms (H200)
  bool stop();   // true once all passes were gathered
  // With Replay::user: the pass between start() and stop(), else the one that comes next. CUPTI takes them in
  // turn, whatever pass index it is given (13.0).
  int pass() const { return pass_; }
  void push(const std::string& range);
  void pop();
  void decode();
  const std::vector<std::uint8_t>& counter_data() const { return counter_data_; }

 private:
  void enable(CUcontext context);
  void disable() noexcept;
  void make_room();
  void configure();

  const Cupti* cupti_;
  const CounterConfig* config_;
  std::uint32_t most_ranges_;
  Replay replay_;
  int pass_ = 0;
  CUpti_RangeProfiler_Object* profiler_ = nullptr;
  std::vector<std::uint8_t> counter_data_;
};

}  // namespace rooftile::worker
