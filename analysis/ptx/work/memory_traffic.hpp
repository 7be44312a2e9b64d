// The bytes of a launch below L1, derived from its compiled code: at L2 as the counters count them, and at
// DRAM. Blocks that run in step touch memory together, a part of their run at a time (`block_footprint`); L2
// keeps what was used last (`l2_cache`). Nothing here is measured.
#pragma once

#include <optional>

#include "analysis/chip/gpu.hpp"
#include "analysis/ptx/work/l1_cache.hpp"

namespace rooftile::ptx {

struct MemoryTraffic {
  std::optional<double> l1_missed_sectors;  // empty as in l1_missed_by_access()
  Bytes l2;                                 // asked for, and between the parts
  Bytes between_l2_parts;                   // of an L2 of two
  Bytes dram_read, dram_written;
  Bytes dram() const { return dram_read + dram_written; }
  double displaced_wavefronts = 0;  // of shared memory, beside those of the work
  bool at_least = false;            // L2 and DRAM move no less than this, and perhaps much more
};

// work: of this launch. gpu: the one that `residency` belongs to. Empty for the copies of TMA, whose bytes are
// not followed. Throws Error as a run does.
std::optional<MemoryTraffic> memory_traffic(const Program& program, const ProgramLaunch& launch,
                                            const KernelWork& work, const Residency& residency, const Gpu& gpu,
                                            Caches caches);

}  // namespace rooftile::ptx
