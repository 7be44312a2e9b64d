// Counting launches with CUPTI's range profiler: one session kept open and armed before the launch is known.
//
//   session.arm();                       // dear, so done in advance: 150 ms once, then 20 ms
//   auto counters = session.count(runs); // 10 ms, and per run 4 ms beyond its launches
//   session.arm();                       // for the next ones
//   session.release();                   // when idle: while armed every other profiler is refused
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "kernels/worker/count/counter_config.hpp"
#include "kernels/worker/count/counter_recording.hpp"
#include "kernels/worker/count/range_profiler.hpp"
#include "kernels/worker/cuda/device.hpp"

namespace rooftile::worker {

// A launch to be counted; `prepare` runs before each of its launches and is not counted (flush, reset of
// inputs).
struct CountedRun {
  std::function<void()> prepare, launch;
};
inline constexpr std::size_t most_counted_together = 32;

class CounterSession {
 public:
  CounterSession(const Cupti& cupti, const Device& device, const CounterConfig& config);
  ~CounterSession() { release(); }
  CounterSession(const CounterSession&) = delete;
  CounterSession& operator=(const CounterSession&) = delete;

  // Throws CuptiError: HARDWARE_BUSY when another profiler is at work, INSUFFICIENT_PRIVILEGES when the user
  // may not read counters. Loading a module waits while this runs in another thread.
  void arm();
  bool armed() const { return armed_; }

  // Launches each run once for every pass; at most most_counted_together runs. The first call with several runs
  // opens the session again, 150 ms. A replay cannot be abandoned: if a launch throws, the session is released.
  // place: given the counters of a single run once its place on the roofline is known, if passes follow.
  std::vector<Counters> count(const std::vector<CountedRun>& runs,
                              const std::function<void(const Counters&)>& place = {});

  // Gives the hardware back. If that fails, nothing is left to do: the driver takes it back with the process.
  void release() noexcept;

  // The recording of the first launch of the last count, until release().
  CounterRecording recording() const;
  // CounterConfig::evaluate for the same launch.
  std::optional<double> evaluate(const std::string& metric) const {
    return config_->evaluate(profiler_->counter_data(), metric);
  }

 private:
  void make_room_for(std::size_t runs);
  void gather(const std::vector<CountedRun>& runs, const std::function<void(const Counters&)>& place);
  bool pass(const std::vector<CountedRun>& runs);
  void range(std::size_t index, const std::function<void()>& body);

  const Cupti* cupti_;
  const Device* device_;
  const CounterConfig* config_;
  std::optional<RangeProfiler> profiler_;
  // Launches the session has room for: room for most_counted_together makes a single launch 2.6 ms slower
  // (H200).
  std::uint32_t room_ = 1;
  bool armed_ = false;
};

}  // namespace rooftile::worker
