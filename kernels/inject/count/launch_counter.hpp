// Counts launches of a program in whatever context they come, by replay or a pass a launch.
#pragma once

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
  LaunchCounter(const worker::Cupti& cupti, const worker::Driver& driver, SwitchTrace switch_trace)
      : cupti_(&cupti), driver_(&driver), switch_trace_(std::move(switch_trace)) {}

  // Whether the next launch, one of this group, is counted; then no other may be made until end(). If none of
  // its context can be, facility() says why.
  bool begin(CUcontext context, int device, std::size_t group, bool replay);
  // No later launch can be counted: counters are refused, or failed several times in a row.
  bool gave_up() const { return tries_left_ == 0; }
  // True if the launch was replayed.
  bool end();
  std::vector<CountedGroup> take_counted() { return std::exchange(counted_, {}); }
  // Call it before the context goes, or the program ends.
  void release(CUcontext context);
  void release() { by_device_.clear(); }

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
  void fail(const Facility& facility);
  void collect(PassCounter& passes);

  const worker::Cupti* cupti_;
  const worker::Driver* driver_;
  SwitchTrace switch_trace_;
  bool initialized_ = false;
  std::map<std::string, std::unique_ptr<worker::CounterConfig>> configs_;  // by chip
  const worker::CounterConfig* config_ = nullptr;
  std::map<int, AtWork> by_device_;
  AtWork* current_ = nullptr;  // that counts the launch under way
  std::size_t current_group_ = 0;
  std::vector<CountedGroup> counted_;
  int tries_left_ = most_tries;
  Facility trouble_{"counters", Facility::State::ready, "", "", ""};
};

}  // namespace rooftile::inject
