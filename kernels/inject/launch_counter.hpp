// Counts single launches of a program by kernel replay: CUPTI saves the GPU's memory and runs the launch once
// for every pass.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "analysis/record/records.hpp"
#include "kernels/worker/count/range_profiler.hpp"

namespace rooftile::inject {

class LaunchCounter {
 public:
  explicit LaunchCounter(const worker::Cupti& cupti) : cupti_(&cupti) {}

  // The next launch in the context is counted; no other may be made until end(). False if it cannot be counted:
  // facility() says why.
  bool begin(CUcontext context, int device);
  // No later launch can be counted: counters are refused, or failed several times in a row.
  bool gave_up() const { return tries_left_ == 0; }
  // Call it after the launch. Empty if the counters came back as no numbers.
  std::optional<Counters> end();
  // Call it before the context goes, or the program ends.
  void release(CUcontext context);
  void release() { profiler_.reset(); }

  const Facility& facility() const { return facility_; }

 private:
  static constexpr int most_tries = 3;

  const worker::CounterConfig& config_of(int device);
  void open(CUcontext context, int device);

  const worker::Cupti* cupti_;
  bool initialized_ = false;
  std::map<std::string, std::unique_ptr<worker::CounterConfig>> configs_;  // by chip
  const worker::CounterConfig* config_ = nullptr;
  // One for all contexts: only one profiler of a GPU can be started.
  std::optional<worker::RangeProfiler> profiler_;
  CUcontext context_ = nullptr;
  int tries_left_ = most_tries;
  Facility facility_{"counters", Facility::State::ready, "", "", ""};
};

}  // namespace rooftile::inject
