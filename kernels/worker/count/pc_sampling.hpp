// Samples of the warps of a launch, taken by the hardware at each scheduler: where they stand and what they
// wait for.
//
//   counting.release();                          // CUPTI samples nothing while a counter session has started
//   PcSampling sampling(cupti, device, period);
//   const Kernel kernel(...);                    // only modules loaded from here on are known to it
//   Samples s = sampling.of(launch);
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "kernels/worker/count/instruction.hpp"
#include "kernels/worker/cuda/device.hpp"

namespace rooftile::worker {

struct Samples {
  std::vector<Instruction> instructions;
  double dropped = 0;  // by the hardware, for want of room
};

// The power of two [cycles] between samples of one SM that gives about a hundred thousand of a launch; less
// than 2^8 loses most of them (seen on an H200).
int sampling_exponent(Seconds launch, Hertz sm_clock, int sm_count);

// "long_scoreboard" of "smsp__pcsamp_warps_issue_stalled_long_scoreboard"; empty for the second row of counts,
// "..._not_issued", which is a part of the first.
std::string stall_reason(const std::string& metric);

class PcSampling {
 public:
  // Throws CuptiError.
  PcSampling(const Cupti& cupti, const Device& device, int period_exponent);
  ~PcSampling();
  PcSampling(const PcSampling&) = delete;
  PcSampling& operator=(const PcSampling&) = delete;

  // Samples the launch, for this cubin alone. Throws CuptiError.
  Samples of(std::uint64_t cubin_crc, const std::function<void()>& launch);

 private:
  // A buffer as CUPTI fills it, with room for the stalls of each instruction.
  struct Buffer {
    explicit Buffer(std::size_t reasons);
    std::vector<CUpti_PCSamplingStallReason> stalls;
    std::vector<CUpti_PCSamplingPCData> instructions;
    CUpti_PCSamplingData data{};
  };
  void enable();
  void ask_reasons();
  void configure(int period_exponent);
  void take(Samples& samples, std::uint64_t cubin_crc) const;
  void disable() noexcept;

  const Cupti* cupti_;
  const Device* device_;
  std::vector<std::uint32_t> indices_;
  std::map<std::uint32_t, std::string> reasons_;  // the reasons that are counted
  std::unique_ptr<Buffer> own_, taken_;           // CUPTI keeps the first, and copies from it into the second
};

}  // namespace rooftile::worker
