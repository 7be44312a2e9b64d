#include "analysis/predict/atomics.hpp"

#include <gtest/gtest.h>

namespace rooftile {
namespace {

AtomicModel random_bins(double bins, double same = 0) {
  AtomicModel atomic;
  atomic.addresses = bins;
  atomic.same = same;
  atomic.requests = 1;
  return atomic;
}

// Counted on an H200 for an atomic of each element: 1.1, 3.3 and 3.7 wavefronts, and 1.0 where all are equal.
TEST(Atomics, RandomLanesTakeTurnsAtTheBanksOfSharedMemory) {
  EXPECT_NEAR(wavefronts(random_bins(32)), 1.1, 0.2);
  EXPECT_NEAR(wavefronts(random_bins(256)), 3.3, 0.35);
  EXPECT_NEAR(wavefronts(random_bins(1024)), 3.7, 0.35);
  EXPECT_NEAR(wavefronts(random_bins(256, 1)), 1, 0.01);
}

TEST(Atomics, LanesOfOneWordTakeTurnsInL2) {
  EXPECT_DOUBLE_EQ(l2_operations(random_bins(1)), 32);
  EXPECT_NEAR(l2_operations(random_bins(1e6)), 32, 0.1) << "each in a sector of its own";
  EXPECT_LT(l2_operations(random_bins(256)), l2_operations(random_bins(1e6)));
}

TEST(Atomics, NeighboursShareSectorsAndMeetNobody) {
  AtomicModel merge = random_bins(1024);
  merge.lanes = AtomicLanes::neighbours;
  EXPECT_EQ(wavefronts(merge), 1);
  EXPECT_EQ(l2_operations(merge), 4);
}

// Microbenchmark on an H200, G lanes per second.
TEST(Atomics, MoreBinsMeetMoreSlicesOfL2) {
  const struct {
    double bins, measured;
  } rows[] = {{32, 4.55}, {256, 3.83}, {2048, 19.2}, {16384, 67.1}, {131072, 90.8}, {1048576, 99.6}};
  constexpr double sectors_per_cycle = 175, clock_ghz = 1.707;
  for (const auto& row : rows) {
    const AtomicModel atomic = random_bins(row.bins);
    const double rate = 32 / l2_operations(atomic) * l2_operation_rate(atomic, sectors_per_cycle) * clock_ghz;
    EXPECT_NEAR(rate / row.measured, 1, 0.35) << row.bins;
  }
}

TEST(Atomics, IdleLanesCostNothing) {
  AtomicModel atomic = random_bins(256);
  atomic.active = 0;
  EXPECT_EQ(wavefronts(atomic), 0);
  EXPECT_EQ(l2_operations(atomic), 0);
}

}  // namespace
}  // namespace rooftile
