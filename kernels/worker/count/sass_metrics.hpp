// Counts what each instruction of a kernel executes and moves, by instrumenting it: exact, but the launch is 30
// to 270 times slower. Works beside an armed counter session.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernels/worker/count/instruction.hpp"
#include "kernels/worker/cuda/device.hpp"

namespace rooftile::worker {

class SassMetrics {
 public:
  SassMetrics(const Cupti& cupti, const Device& device, std::string chip)
      : cupti_(&cupti), device_(&device), chip_(std::move(chip)) {}

  // Instructions of all modules launched. Throws CuptiError.
  std::vector<Instruction> count(std::uint64_t cubin_crc, const std::function<void()>& launch);

 private:
  void configure();
  std::vector<Instruction> read(std::uint64_t cubin_crc) const;
  void disable() noexcept;

  const Cupti* cupti_;
  const Device* device_;
  std::string chip_;
  std::vector<CUpti_SassMetrics_Config> config_;              // of the metrics that the chip has
  std::vector<std::optional<double> LineProfile::*> fields_;  // where the value of each goes
  bool configured_ = false;
};

}  // namespace rooftile::worker
