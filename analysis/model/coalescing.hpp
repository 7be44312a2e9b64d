// How a warp instruction meets global memory: the lines and sectors that its lanes touch, and how long it keeps
// L1 busy. L1 has the banks of shared memory: lanes that want different words of one bank take turns. On an
// H200 a multiply whose warps walk down a column (sgemm_uncoalesced) takes 32 cycles per load where rows are
// multiples of 128 B apart, 8 where 4 lanes share a row, and 10 to 13 where all banks differ: then the lines
// take turns, three per cycle.
#pragma once

#include "analysis/model/banks.hpp"

namespace rooftile {

inline constexpr int line_bytes = 128;

struct Coalescing {
  int lines = 0;
  int sectors = 0;
  int partial_lines = 0;  // with a sector that the lanes touch but do not fill
  double cycles = 0;      // of L1's pipe
};

// width_bytes: bytes each lane moves. Addresses count from the start of a line.
Coalescing coalescing(const LaneAddresses& addresses, int width_bytes, bool store);

// The sectors that an atomic of a word moves. Lanes that meet on one word take turns, so that a sector moves as
// often as its most frequent word occurs.
int atomic_sectors(const LaneAddresses& addresses);
// The most lanes that mean one word.
int lanes_of_one_word(const LaneAddresses& addresses);

}  // namespace rooftile
