// The __constant__ and __device__ variables of a loaded kernel, filled as its kernel.toml says.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/worker/measure/helper_kernels.hpp"

namespace rooftile::worker {

class Globals {
 public:
  Globals() = default;
  // Variables that the cubin does not have are left out: a reference may lack them. Throws Error if a file does
  // not fit its variable.
  Globals(const Device& device, const Kernel& kernel, const std::string& cubin, HelperKernels& helpers,
          const Manifest& manifest, const Parameters& parameters);

  // Copies the values into the variables; queued.
  void fill() const;

 private:
  struct Slot {
    CUdeviceptr pointer = 0;
    DeviceMemory values;
  };
  const Driver* driver_ = nullptr;
  std::vector<Slot> slots_;
};

// Tells the variables of the source that are zeros because nothing fills them; empty where there are none.
// code: the text of the source. Variables of other files count if kernel.toml lists them.
std::string unfilled_sentence(const std::string& cubin, const Manifest& manifest, std::string_view code);

}  // namespace rooftile::worker
