// The measurement of launches, in stages: compile, verify, time, count. Each stage sends the point again with
// what it learned, so the point appears early and grows more exact.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "analysis/record/records.hpp"
#include "analysis/text/error.hpp"
#include "kernels/worker/cuda/cublas.hpp"
#include "kernels/worker/cuda/cublas_lt.hpp"
#include "kernels/worker/cuda/nvml.hpp"
#include "kernels/worker/measure/counting.hpp"
#include "kernels/worker/measure/launch_gate.hpp"
#include "kernels/worker/measure/problem.hpp"
#include "kernels/worker/measure/source_profiler.hpp"

namespace rooftile::worker {

using Emit = std::function<void(const Record&)>;

class DeviceLost : public Error {
 public:
  using Error::Error;
};

struct MeasureJob {
  const Manifest* manifest;
  MeasureRequest request;
};

class Bench {
 public:
  // nvml: may be absent; then the clock during launches is not known. verify_only: a measurement ends with the
  // verification. room: of the buffers that kernels work on.
  Bench(const Device& device, const Compiler& compiler, Counting& counting,
        const std::filesystem::path& sources, const Nvml* nvml, bool verify_only, Room room)
      : device_(&device),
        compiler_(&compiler),
        counting_(&counting),
        helpers_(device, compiler, sources),
        gate_(device, compiler, sources),
        profiler_(device, counting),
        nvml_(nvml),
        verify_only_(verify_only),
        room_(room) {}

  // The last point sent for each job is final. Once a point is sent compiled, its launch is on the device, and
  // no other launch is until its next record: a client that waits for several knows which launch it waits for.
  // Launches on the same buffers are counted together, which spares most of the cost of starting and stopping
  // the counters. An error in a request or a kernel becomes its point's failure. If the device can no longer be
  // used, throws DeviceLost after sending the failed point of the launch to blame, or DriverError if several
  // launches may be to blame.
  void measure(const std::vector<MeasureJob>& jobs, const Emit& emit);
  // The same launch line by line; one profile is sent, which may be a failed one.
  void profile(const Manifest& manifest, const ProfileRequest& request, const Emit& emit);

 private:
  struct Run;
  bool attempt(Run& run, const Emit& emit, const std::function<void()>& steps);
  static void fail(Run& run, const std::string& sentence, const Emit& emit);
  [[noreturn]] static void blame(Run& run, const DriverError& error, const Emit& emit);
  void gather(SourceProfile& profile, const Manifest& manifest, std::optional<Seconds> limit, const Emit& emit);
  void compile(Run& run);
  void load(Run& run);
  void load_library(const Manifest& manifest);
  void verify(Run& run);
  void time(Run& run, const Emit& emit);
  void count(std::vector<Run>& runs, const Emit& emit);
  std::vector<Counters> counters_of(std::vector<Run>& runs, const std::vector<CountedRun>& counted,
                                    const std::function<void(const Counters&)>& place, const Emit& emit);
  CounterNeeds needs(const Run& run);
  static void keep(const Counters& counters, const Manifest& manifest, Point& point);
  bool shares_problem(const Run& run) const;
  bool counts_with(const std::vector<Run>& others, const Run& run);
  void launch(Run& run);
  void prepare(Run& run, const char* phase, const Emit& emit);
  void restore(const Run& run);
  void wait_for_a_long_launch(const Run& run, const char* phase, const Emit& emit);

  const Device* device_;
  const Compiler* compiler_;
  Counting* counting_;
  HelperKernels helpers_;
  LaunchGate gate_;
  SourceProfiler profiler_;
  const Nvml* nvml_;
  bool verify_only_;
  Room room_;
  std::unique_ptr<Problem> problem_;
  std::unique_ptr<Cublas> cublas_;  // once it is asked for, like the next
  std::unique_ptr<CublasLt> cublas_lt_;
  std::map<std::string, CounterNeeds> needs_;                      // by kernel
  std::map<std::pair<std::string, std::string>, Kernel> kernels_;  // loaded variants, by cubin and entry
};

// The point of a request before anything is done: completed and checked parameters; launch and model if its GPU
// is known. Throws Error if the parameters are unknown or illegal.
Point start_point(const Manifest& manifest, const Parameters& given, std::uint64_t id, Caches caches,
                  std::optional<int> sm_count);

}  // namespace rooftile::worker
