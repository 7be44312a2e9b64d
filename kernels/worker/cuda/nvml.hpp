// The GPU's clock, read by NVML, which is loaded at run time. Its few functions are declared here, since not
// every CUDA package brings nvml.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/record/point.hpp"

namespace rooftile::worker {

// "power cap", "heat": the meaning of the bits of NVML's clocks event reasons. Idling, and a clock that
// somebody set, are no reasons.
std::vector<std::string> slowed_by(unsigned long long reasons);

class Nvml {
 public:
  // pci_bus_id: of the GPU. Calls nothing of CUDA's. Throws Error saying what is missing.
  explicit Nvml(const std::string& pci_bus_id);

  // The clock now; takes a few microseconds. Empty if the driver does not say.
  std::optional<HeldClock> clock() const;
  const std::string& file() const { return file_; }

 private:
  using Handle = void*;

  std::string file_;
  Handle device_ = nullptr;
  unsigned highest_ = 0;  // [MHz]
  int (*get_clock_)(Handle, int, unsigned*) = nullptr;
  int (*get_reasons_)(Handle, unsigned long long*) = nullptr;
};

}  // namespace rooftile::worker
