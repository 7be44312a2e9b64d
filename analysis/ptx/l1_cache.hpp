// What L1 does not hold of what a launch asks for: the blocks that share an SM go on in step, and their
// requests meet one cache that forgets the line that was used longest ago. Right where blocks share little;
// those that share lines only while they keep step miss more.
#pragma once

#include <optional>

#include "analysis/ptx/kernel_work.hpp"

namespace rooftile::ptx {

struct Residency {
  int blocks = 1;  // on an SM
  int sms = 1;
  double l1_bytes = 0;  // beside the shared memory of these blocks
};

// Sectors of the launch, out of the first requests of each warp of the blocks of one SM. Empty where others
// than these pass through L1 too: other blocks of a cluster, and the copies of TMA. Throws Error as a run does.
std::optional<double> l1_missed_sectors(const Program& program, const ProgramLaunch& launch,
                                        const KernelWork& work, const Residency& residency);

}  // namespace rooftile::ptx
