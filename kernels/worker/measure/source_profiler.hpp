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

// The launch, and how to make it.
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

// The profile of a request before anything is done.
SourceProfile start_profile(const ProfileRequest& request);

// Throws Error for a kernel that has no source.
void expect_source(const Manifest& manifest);

class SourceProfiler {
 public:
  SourceProfiler(const Device& device, Counting& counting);

  // Adds the lines. If one half is refused, that becomes a note. Throws Error if both are refused, or if the
  // launch would come near its limit. The counters are given back meanwhile.
  void profile(SourceProfile& profile, const ProfiledLaunch& launch);

 private:
  std::vector<Instruction> sample(SourceProfile& profile, const ProfiledLaunch& launch) const;
  std::vector<Instruction> instrument(SourceProfile& profile, const ProfiledLaunch& launch);

  const Device* device_;
  Counting* counting_;
  std::unique_ptr<SassMetrics> metrics_;  // kept: a process configures them once
};

}  // namespace rooftile::worker
