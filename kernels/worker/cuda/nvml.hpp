// What the driver says of the GPU's clock, by NVML, loaded at run time and only read. Its few functions are
// declared here, since not every CUDA package brings nvml.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/record/point.hpp"

namespace rooftile::worker {

// "power cap", "heat": what the bits of NVML's clocks event reasons stand for. Idling, and a
// clock that somebody set, are no reasons.
std::vector<std::string> slowed_by(unsigned long long reasons);

class Nvml {
 public:
  // pci_bus_id: of the GPU. Calls nothing of CUDA's. Throws Error saying what is missing.
  explicit Nvml(const std::string& pci_bus_id);

  // Now; a few microseconds. Empty when the driver does not say.
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
