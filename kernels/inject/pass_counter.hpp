// Counts launches of a program without replay: each counted launch runs once, in one pass, and a kernel and
// shape is complete after as many launches as it needs passes. Starting a pass takes up to 20 ms (H200), so one
// start serves the launches of many kernels.
#pragma once

#include <map>
#include <optional>
#include <set>
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
  // where others are still to be counted in another pass. A group that is complete begins again.
  bool begin(std::size_t group);
  void end();
  // Reads out what the current pass has counted.
  void close();
  // Groups that became complete since this was last asked.
  CountedGroups take_complete();

 private:
  struct Progress {
    std::vector<bool> counted;   // by pass
    std::vector<double> values;  // of each metric, not a number until it is counted
    bool complete = false;
  };
  bool find_room(std::size_t group);
  bool choose_pass(const Progress& progress);
  void start(int pass);
  void collect();
  void take(Progress& progress, const std::vector<double>& values) const;
  int passes_of(const Progress& progress) const;
  std::optional<int> next_pass(const Progress& progress) const;
  bool any_lacks_passes() const;  // of the groups in the image

  const worker::Driver* driver_;
  const worker::CounterConfig* config_;
  std::optional<std::size_t> tensor_instructions_;  // the metric's place; empty if the chip has none
  worker::RangeProfiler profiler_;
  std::map<std::size_t, Progress> groups_;
  std::set<std::size_t> in_image_;                    // groups that have a range in the counter data image
  std::size_t current_ = 0;                           // the group whose launch is counted
  std::optional<int> pass_;                           // that runs
  int counted_ = 0, turned_away_ = 0, kept_out_ = 0;  // launches since the pass was started; since one counted
  CountedGroups complete_;
};

}  // namespace rooftile::inject
