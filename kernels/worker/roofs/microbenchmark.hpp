// Runs the kernels of device_code/ on the whole device and tells how fast they were.
#pragma once

#include "kernels/worker/compile/compiler.hpp"
#include "kernels/worker/cuda/resources.hpp"

namespace rooftile::worker {

class Microbenchmark {
 public:
  // ceilings: the folder of their sources.
  Microbenchmark(const Device& device, const Compiler& compiler, std::filesystem::path ceilings)
      : device_(&device),
        compiler_(&compiler),
        ceilings_(std::move(ceilings)),
        never_(device, sizeof(double)) {}

  Kernel kernel(const std::string& file, const std::string& entry, std::vector<std::string> options = {}) const;
  // Blocks that fill every SM.
  Launch whole_device(int threads) const;
  // A place where a kernel stores results that its compiler must not throw away.
  CUdeviceptr never() const { return never_.pointer(); }
  const Device& device() const { return *device_; }

  // The fastest of many: a roof is what can be reached.
  Seconds fastest(const Kernel& kernel, const Launch& launch, Arguments arguments) const;
  // Rounds per second of a kernel that repeats one step; its last argument is the number of rounds.
  double rounds_per_second(const Kernel& kernel, const Launch& launch, const Arguments& arguments) const;
  // The same, for so long that the power limit takes effect.
  double sustained_rounds_per_second(const Kernel& kernel, const Launch& launch,
                                     const Arguments& arguments) const;

 private:
  Seconds once(const Kernel& kernel, const Launch& launch, Arguments& arguments, int times = 1) const;
  int rounds_of_a_short_run(const Kernel& kernel, const Launch& launch, const Arguments& arguments) const;

  const Device* device_;
  const Compiler* compiler_;
  std::filesystem::path ceilings_;
  DeviceMemory never_;
};

double thread_count(const Launch& launch);

}  // namespace rooftile::worker
