// The kernels that surround a measured launch, compiled on first use.
#pragma once

#include <map>
#include <string>

#include "analysis/model/filling.hpp"
#include "analysis/model/tolerance.hpp"
#include "kernels/worker/compile/compiler.hpp"
#include "kernels/worker/cuda/resources.hpp"

namespace rooftile::worker {

class HelperKernels {
 public:
  // sources: the folder kernels/.
  HelperKernels(const Device& device, const Compiler& compiler, const std::filesystem::path& sources);

  void fill(const DeviceMemory& memory, const std::string& element, std::int64_t count, const Filling& filling);
  // Whatever the tolerance, a result of zeros alone, or of equal elements, fails unless the reference is like
  // that too.
  Verification compare(const DeviceMemory& result, const DeviceMemory& reference, const std::string& element,
                       std::int64_t count, Tolerance tolerance);
  // The map of a result that did not pass. Empty if no element is beyond the tolerance.
  std::optional<WrongElements> wrong_in(const DeviceMemory& result, const DeviceMemory& reference,
                                        const std::string& element, std::int64_t count, Tolerance tolerance,
                                        std::int64_t row_length);
  // The largest magnitude of its finite elements, at most 1: the `scale` of tolerance_of().
  double scale(const DeviceMemory& memory, const std::string& element, std::int64_t count);
  // Evicts everything else from the caches; queued.
  void empty_caches();

 private:
  struct Comparison;
  // `before` as the device changes it in one launch, whose arguments are these and its address.
  Comparison compared(const Kernel& kernel, const Launch& launch, Arguments arguments,
                      const Comparison& before);
  std::string what_differs(const DeviceMemory& result, const DeviceMemory& reference,
                           const std::string& element, const Comparison& found, Tolerance tolerance);
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
