// One launch line by line: sampled for what its warps wait for, then instrumented for what each instruction
// did.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "kernels/worker/compile/compiler.hpp"
#include "kernels/worker/count/sass_metrics.hpp"
#include "kernels/worker/cuda/resources.hpp"
#include "kernels/worker/measure/counting.hpp"

namespace rooftile::worker {

// What is launched, and how.
struct ProfiledLaunch {
  const Manifest& manifest;
  const std::string& cubin;
  const std::string& symbol;
  Launch shape;
  Arguments& arguments;
  Seconds expected;
  std::optional<Seconds> limit;   // that the whole profile may take
  std::function<void()> prepare;  // before each launch
};

// A profile of this request before anything was done.
SourceProfile start_profile(const ProfileRequest& request);

class SourceProfiler {
 public:
  SourceProfiler(const Device& device, Counting& counting);

  // Adds the lines. One half that is refused becomes a note; throws Error when both are, and for a launch that
  // would come near its limit. The counters are given back meanwhile.
  void profile(SourceProfile& profile, const ProfiledLaunch& launch);

 private:
  std::vector<Instruction> sample(SourceProfile& profile, const ProfiledLaunch& launch) const;
  std::vector<Instruction> instrument(SourceProfile& profile, const ProfiledLaunch& launch);

  const Device* device_;
  Counting* counting_;
  std::unique_ptr<SassMetrics> metrics_;  // kept: a process configures them once
};

}  // namespace rooftile::worker
