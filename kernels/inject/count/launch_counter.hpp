// Counts launches of a program in whatever context they come, by replay or a pass a launch.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/record/records.hpp"
#include "kernels/inject/count/pass_counter.hpp"
#include "kernels/inject/count/replay_counter.hpp"
#include "kernels/inject/count/replay_rule.hpp"
#include "kernels/inject/launch_log.hpp"

namespace rooftile::inject {

class LaunchCounter {
 public:
  using Clock = std::chrono::steady_clock;

  LaunchCounter(const worker::Cupti& cupti, const worker::Driver& driver, SwitchTrace switch_trace)
      : cupti_(&cupti), driver_(&driver), switch_trace_(std::move(switch_trace)) {}

  // Whether the next launch, one of this group, is counted; then no other may be made until end(). If none of
  // its context can be, facility() says why. has_time: see PassCounter.
  bool begin(CUcontext context, int device, std::size_t group, bool has_time, bool replay);
  // No launch before it is counted: none at all once counters are refused, or failed several times in a row.
  Clock::time_point next_try() const { return next_try_; }
  // True if the launch was replayed.
  bool end();
  // From the first launch of a stretch on (see PassCounter) until its end launches go untraced.
  bool is_in_stretch() const { return in_stretch_ != nullptr; }
  // Tells of a launch that is not to be counted.
  void pass_by() { change_stretch(&PassCounter::pass_by); }
  void end_stretch() { change_stretch(&PassCounter::end_stretch); }
  std::vector<CountedGroup> take_counted() { return std::exchange(counted_, {}); }
  // Call it before the context goes, or the program ends: null then.
  void release(CUcontext context);

  // rule: why launches are not replayed, if they are not.
  Facility facility(const ReplayRule& rule) const;

 private:
  static constexpr int most_tries = 3;

  // The counter at work. Only one profiler of a GPU can be started.
  struct AtWork {
    CUcontext context = nullptr;
    int kept_out = 0;  // launches in other contexts of the GPU
    std::unique_ptr<ReplayCounter> replay;
    std::unique_ptr<PassCounter> passes;
  };

  const worker::CounterConfig& config_of(int device);
  AtWork* at_work(CUcontext context, int device, bool replay);
  bool begin_now(CUcontext context, int device, std::size_t group, bool has_time, bool replay);
  bool is_complete(std::size_t group) const;
  void change_stretch(void (PassCounter::*change)());
  void drop(int device);
  void keep_times(const PassCounter& passes);
  void fail(const Facility& facility);

  const worker::Cupti* cupti_;
  const worker::Driver* driver_;
  SwitchTrace switch_trace_;
  bool initialized_ = false;
  std::map<std::string, std::unique_ptr<worker::CounterConfig>> configs_;  // by chip
  const worker::CounterConfig* config_ = nullptr;
  std::map<int, AtWork> by_device_;
  AtWork* current_ = nullptr;  // that counts the launch under way
  int current_device_ = 0;
  PassCounter* in_stretch_ = nullptr;  // one at most: the trace is one for all devices
  std::size_t current_group_ = 0;
  std::vector<CountedGroup> counted_;
  int tries_left_ = most_tries;
  Clock::time_point begun_, next_try_ = Clock::time_point::min();
  Facility trouble_{"counters", Facility::State::ready, "", "", ""};
};

}  // namespace rooftile::inject
