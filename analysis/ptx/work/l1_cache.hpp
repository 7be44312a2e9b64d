// The sectors of a launch that miss L1. The blocks of one SM run in step, and their requests go to one cache
// that evicts the least recently used line. This is accurate if blocks share little; blocks that share lines
// only while they run in step miss more in reality.
#pragma once

#include <optional>
#include <vector>

#include "analysis/chip/gpu.hpp"
#include "analysis/chip/occupancy.hpp"
#include "analysis/ptx/work/kernel_work.hpp"

namespace rooftile::ptx {

struct Residency {
  int blocks = 1;  // on an SM
  int sms = 1;
  double l1_bytes = 0;  // beside the shared memory of these blocks
};
// Empty where not one block fits.
std::optional<Residency> residency_of(const BlockResources& block, const Launch& launch, const Gpu& gpu);

// Sectors of the launch by access, in the order of the work, out of the first requests of each warp of the
// blocks of one SM. Empty where others than these pass through L1 too: other blocks of a cluster, and the
// copies of TMA. Throws Error as a run does.
std::optional<std::vector<double>> l1_missed_by_access(const Program& program, const ProgramLaunch& launch,
                                                       const KernelWork& work, const Residency& residency);

}  // namespace rooftile::ptx
