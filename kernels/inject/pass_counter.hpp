// Counts launches of a program without replay: each counted launch runs once, in one pass, and a kernel and
// shape is complete after as many launches as there are passes. Starting a pass takes up to 20 ms (H200), so
// launches of many kernels are counted together. CUPTI's passes follow one another, and in each of them the
// ranges stand in the same order: the kernels of a batch are counted in the order of their first launches.
#pragma once

#include <map>
#include <vector>

#include "kernels/worker/count/range_profiler.hpp"
#include "kernels/worker/cuda/driver.hpp"

namespace rooftile::inject {

// The counters of a kernel and shape, by its number.
using CountedGroups = std::map<std::size_t, Counters>;

class PassCounter {
 public:
  // For launches in one context. All throw CuptiError, or Error if the GPU does not become idle.
  PassCounter(const worker::Cupti& cupti, const worker::Driver& driver, const worker::CounterConfig& config,
              CUcontext context);

  // Whether the next launch, one of this group, is counted; then no other may be made until end(). It is not
  // where it is another group's turn.
  bool begin(std::size_t group);
  void end();
  // Call it before the counter goes, so that no pass is left running.
  void close();
  // Groups that became complete since this was last asked.
  CountedGroups take_complete();

 private:
  struct Member {
    std::size_t group;
    bool seen = false;  // launched in this pass, before its turn
    bool lost = false;  // not launched again in time
  };
  bool joins(std::size_t group);
  bool is_its_turn(std::size_t group);
  void lose_unseen();
  void start();
  void skip_lost();
  void end_pass();
  void collect();

  const worker::Driver* driver_;
  const worker::CounterConfig* config_;
  worker::RangeProfiler profiler_;
  std::vector<Member> batch_;  // in the order of their ranges
  std::size_t next_ = 0;       // member whose range comes next in this pass
  int pass_ = 0;               // in which the batch is; it grows in the first one
  bool running_ = false;
  std::size_t turned_away_ = 0;  // launches since one was counted
  CountedGroups complete_;
};

}  // namespace rooftile::inject
