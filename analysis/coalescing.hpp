// How a warp instruction meets global memory: the lines and sectors that its lanes touch.
// L1 looks up one line of 128 B per cycle, whatever part of it the lanes ask for: on an H200, a multiply whose
// warps span 1, 2, 4 ... 32 rows runs at 0.85 to 1.00 lines per cycle and SM (sgemm_naive, sgemm_uncoalesced).
#pragma once

#include "analysis/banks.hpp"

namespace rooftile {

inline constexpr int line_bytes = 128;

struct Coalescing {
  int lines = 0;
  int sectors = 0;
  int partial_sectors = 0;  // that the lanes touch but do not fill
};

// width_bytes: bytes each lane moves. Addresses count from the start of a line.
Coalescing coalescing(const LaneAddresses& addresses, int width_bytes);

}  // namespace rooftile
