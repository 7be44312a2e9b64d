// The cost of atomics whose lanes meet at random, as in a histogram, or have neighbouring words, as where
// private bins are added to the common ones.
// Source: microbenchmarks on an H200 (2026-11), random bins of 4 bytes, 1,024 threads per SM. Shared memory:
// 9.1 lanes per cycle and SM, which is one wavefront per cycle. L2: a slice serves an operation per cycle of
// its clock, lanes of one word take turns, and neighbouring 512 bytes lie in other slices: 3.8 G lanes per
// second meet 256 bins, 19 G 2,048, 67 G 16,384 and 99 G 1,048,576. Other blocks of a cluster: 0.6 lanes per ns
// and SM.
// Limits: beyond the L2's size atomics are slower by more than is modelled.
#pragma once

#include "analysis/model/model.hpp"

namespace rooftile {

// Wavefronts of shared memory; lanes of the same word share one.
double wavefronts(const AtomicModel& atomic);
// Operations of L2: the lanes that meet most on one word of a sector, summed over its sectors.
double l2_operations(const AtomicModel& atomic);

inline constexpr double remote_lanes_per_cycle = 0.3;         // of an SM, to shared memory of other blocks
inline constexpr double remote_lanes_of_one_word = 0.53;      // per cycle, that one SM takes in
inline constexpr double l2_clock_of_sm_clock = 0.86;          // 1.71 of 1.98 GHz
inline constexpr double l2_operations_of_sector_rate = 0.34;  // at most, when all slices are met

// Operations per cycle of the L2's clock. sectors_per_cycle: the most that L2 moves.
double l2_operation_rate(const AtomicModel& atomic, double sectors_per_cycle);

}  // namespace rooftile
