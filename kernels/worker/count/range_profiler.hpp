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
  // With Replay::user, between stop() and start(): the next pass is this one, and goes into an image of the
  // caller's, which is made here if it is empty and outlives the counting.
  void choose_pass(std::vector<std::uint8_t>& image, int pass);
  void start();  // the first one 150 ms, a later one up to 20 ms (H200)
  bool stop();   // true once all passes were gathered
  void push(const std::string& range);
  void pop();
  void decode();
  const std::vector<std::uint8_t>& counter_data() const { return counter_data_; }

 private:
  void enable(CUcontext context);
  void disable() noexcept;
  void make_room();
  void initialize(std::vector<std::uint8_t>& image);
  void configure(std::vector<std::uint8_t>& image, int pass);

  const Cupti* cupti_;
  const CounterConfig* config_;
  std::uint32_t most_ranges_;
  Replay replay_;
  CUpti_RangeProfiler_Object* profiler_ = nullptr;
  std::vector<std::uint8_t> counter_data_;
};

}  // namespace rooftile::worker
