// The kernels that surround a measured launch, compiled on first use.
#pragma once

#include <map>
#include <string>

#include "kernels/worker/compile/compiler.hpp"
#include "kernels/worker/cuda/resources.hpp"

namespace rooftile::worker {

class HelperKernels {
 public:
  // sources: the folder kernels/.
  HelperKernels(const Device& device, const Compiler& compiler, const std::filesystem::path& sources);

  // Deterministic: the same seed gives the same data. skew: the share of elements that are all equal, 0 to 1.
  void fill(const DeviceMemory& memory, const std::string& element, std::int64_t count, double skew,
            unsigned seed);
  Verification compare(const DeviceMemory& result, const DeviceMemory& reference, const std::string& element,
                       std::int64_t count, double tolerance);
  // Evicts everything else from the caches; queued.
  void empty_caches();

 private:
  const Kernel& kernel(const std::string& entry, const std::string& element);
  Launch whole_device(int threads) const;

  const Device* device_;
  const Compiler* compiler_;
  std::filesystem::path source_;
  std::map<std::string, Kernel> kernels_;
  DeviceMemory comparison_;
  DeviceMemory evictor_;
};

}  // namespace rooftile::worker
