// Counts launches of a program without replay: each counted launch runs once, in one pass, and a kernel and
// shape is complete after one launch more than it needs passes. All that lack the same pass are counted in one
// stretch, between a start and a stop of the profiler. A counted launch takes 1.1 ms, another stretch 3 to 100
// ms (H200). CUPTI's trace of kernels is off during a stretch: with it counters of patched kernels (FLOPs) come
// back as 0, and hardware counters hold the patches' own instructions (H100, H200, CUDA 13.0).
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
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
        profiler_(cupti, context, config, most_ranges, worker::Replay::user) {}
  ~PassCounter();
  PassCounter(const PassCounter&) = delete;
  PassCounter& operator=(const PassCounter&) = delete;

  // Whether the next launch, one of this group, is counted; no other may then be made until end(). has_time: a
  // launch of the group was traced. Else this one is left to the trace, since what is measured around a counted
  // launch may be milliseconds longer; in a stretch, which no trace tells of, no more than a few are.
  bool begin(std::size_t group, bool has_time);
  void end();
  // From its first counted launch on a stretch lasts until one of these two ends it.
  bool is_in_stretch() const { return in_stretch_; }
  void pass_by();  // tells of a launch that is not counted
  void end_stretch();
  // Groups that became complete since this was last asked.
  CountedGroups take_complete();
  // The counters of the incomplete groups, as far as they are known. Call it outside of a stretch.
  CountedGroups incomplete() const;

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::uint32_t most_ranges = 64;  // of the image, 0.9 MB each (H200)

  struct Progress {
    std::set<int> passes;              // that it was counted in
    std::optional<std::size_t> range;  // of the image, in the order of their first launches
    int left_to_trace = 0;             // launches in a stretch
    std::size_t seen = 0;              // stretches begun until its newest launch
    std::vector<double> values;        // of the passes so far, in the order of the metrics
  };

  bool has_room_for(const Progress& progress);
  bool lacks(const Progress& progress, int pass) const;
  bool is_complete(const Progress& progress) const;
  bool awaits(const Progress& progress, int pass) const;
  bool is_worth_beginning(const Progress& first);
  bool in_haste() const;
  bool is_worth_ending() const;
  void begin_stretch(const Progress& first);
  void settle(std::size_t group);

  const worker::Driver* driver_;
  const worker::CounterConfig* config_;
  SwitchTrace switch_trace_;
  std::map<std::size_t, Progress> incomplete_;
  std::set<std::size_t> begun_;  // of these, have a range
  std::size_t ranges_ = 0;       // of the image, used
  std::size_t turned_away_ = 0;  // launches without room in it since the last counted one
  std::size_t put_off_ = 0;      // launches that lack another pass than the next, since the last stretch
  std::size_t stretches_ = 0;
  bool in_stretch_ = false;
  std::vector<std::size_t> counted_;  // groups in this stretch
  std::size_t passed_by_ = 0;         // launches in this stretch; without haste, since the last counted one
  Clock::time_point last_counted_;
  std::optional<Clock::duration> spent_;  // on changes of stretches, but the first one's 0.3 s
  worker::RangeProfiler profiler_;
  CountedGroups complete_;
};

}  // namespace rooftile::inject
