// How fast a chip does what no datasheet quotes.
// Source: microbenchmarks on an H200 at 1.98 GHz (2026-11): transposed stores of 4 bytes for partial lines,
// atomics on 32 to 2^20 words for the slices of L2. Latencies, barriers of clusters, atomics and the rate at
// which blocks start are paces (roofs.hpp). Limits: taken for every other chip until somebody measures it
// there.
#pragma once

#include <algorithm>
#include <cstdint>

#include "analysis/text/units.hpp"

namespace rooftile {

inline constexpr double barrier_latency = 30;  // cycles, __syncthreads of 8 warps

// From the start of a block to its first instruction, and from its last one to the next block in its place.
inline constexpr double block_turnover = 600;  // cycles, chosen on recorded launches of many short blocks

// The share of bytes asked for again that L2 has lost, when so much of its size has passed since they were
// asked for. Recorded on an H200, by the bytes counted at DRAM: warm launches lose 0 to 5 % at 0.53 and more
// than 80 % at 0.80, rows of row_softmax 44 % at 0.72 and all at 1.4.
constexpr double lost_from_l2(double share_of_size) {
  constexpr double all_kept = 0.55, none_kept = 0.85;
  return std::clamp((share_of_size - all_kept) / (none_kept - all_kept), 0.0, 1.0);
}

// A line that a request writes in part keeps L2 busy as long as so many bytes: 66 to 71 G lines per second,
// where whole ones move at 9.5 TB/s.
inline constexpr double l2_bytes_of_partial_line = 145;

// Neighbouring words of so many bytes are served by one slice of L2, which takes atomics one by one.
inline constexpr double bytes_of_l2_slice_turn = 512;

// From the first event to the second around a launch that does next to nothing, less what events take alone.
// The shortest recorded launches (transposes of 1024^2, H200) take so much longer than their roofs.
inline constexpr Seconds launch_overhead{2.2e-6};

// A cluster lies within one GPC, and SMs of a GPC that its clusters do not fill stay empty. Source: the
// driver's most active clusters on an H200: of 132 SMs, 124, 120 and 112 hold clusters of 4, 8 and 16 blocks.
constexpr double share_of_sms_that_hold_clusters(std::int64_t blocks_of_cluster) {
  return blocks_of_cluster >= 16 ? 0.85 : blocks_of_cluster >= 8 ? 0.91 : blocks_of_cluster >= 4 ? 0.94 : 1;
}

// mma.sync of a warp reaches this share of the peak, which is that of wgmma of a warpgroup. An estimate: no
// recorded launch of an mma.sync kernel exceeds it. Taken for tcgen05 as well.
inline constexpr double mma_share_of_peak = 0.62;

}  // namespace rooftile
