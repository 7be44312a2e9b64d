#include "app/cli/tables/points_table.hpp"

#include <gtest/gtest.h>

namespace rooftile::cli {
namespace {

Findings launch(const std::string& name, Evidence evidence) {
  Findings found;
  found.name = name;
  found.placement.emplace();
  found.placement->evidence = evidence;
  found.placement->time = {1e-3};
  found.placement->levels = {{MemoryLevel::dram, Bytes{2e9}, {2e12}, {}, 0.5, true, false, {}}};
  found.verdict = Verdict{"", "", "DRAM"};
  return found;
}

std::string row(const Findings& found) {
  const std::string all = points_table({found}).text();
  return all.substr(all.find('\n') + 1);
}

TEST(PointsTable, ARowHoldsTimeSpeedShareBytesOccupancyAndWhatBindsIt) {
  Findings best = launch("copy", Evidence::counted);
  best.placement->performance = FlopsPerSecond{1.5e12};
  best.placement->compute_share = 0.25;
  best.occupancy = Occupancy{4, 32, 64, {}};
  EXPECT_EQ(points_table({best}).text(),
            "variant     time   performance  of its roof     DRAM  occupancy  bound by\n"
            "copy     1.00 ms  1.50 TFLOP/s         50 %  2.00 GB       50 %  DRAM\n");
}

TEST(PointsTable, TheKernelOfAProgramHasItsShortName) {
  Findings found = launch("a configuration nobody has", Evidence::counted);
  found.point.kernel = "void mine::gemm<float, 16>(" + std::string(2000, 'x') + ")";
  found.point.program.emplace();
  EXPECT_TRUE(row(found).starts_with("gemm<float, 16>  "));
  EXPECT_LT(row(found).size(), 150u);
}

TEST(PointsTable, TheShareIsThatOfTheNearestRoof) {
  Findings found = launch("k", Evidence::counted);
  found.placement->compute_share = 0.75;
  EXPECT_EQ(row(found), "k        1.00 ms            –         75 %  2.00 GB          –  DRAM\n");
  found.placement->compute_share.reset();
  found.placement->levels.clear();
  EXPECT_EQ(row(found), "k        1.00 ms            –            –     –          –  DRAM\n") << "no roof";
}

TEST(PointsTable, TheAchievedOccupancyStandsBeforeTheTheoreticalOne) {
  Findings found = launch("k", Evidence::counted);
  found.occupancy = Occupancy{4, 64, 64, {}};
  found.point.counters = Counters{};
  EXPECT_EQ(row(found), "k        1.00 ms            –         50 %  2.00 GB      100 %  DRAM\n");
  found.point.counters->achieved_occupancy = 0.875;
  EXPECT_EQ(row(found), "k        1.00 ms            –         50 %  2.00 GB     87.5 %  DRAM\n");
}

TEST(PointsTable, WhatIsNotCountedSaysHowItIsKnown) {
  EXPECT_EQ(row(launch("k", Evidence::timed)),
            "k        1.00 ms            –         50 %  2.00 GB          –  DRAM (timed)\n");
  EXPECT_EQ(row(launch("k", Evidence::predicted)),
            "k        1.00 ms            –         50 %  2.00 GB          –  DRAM (predicted)\n");
}

TEST(PointsTable, ALaunchWithoutAPlaceSaysWhy) {
  Findings lost;
  lost.name = "k";
  EXPECT_EQ(row(lost), "k           –            –            –     –          –  nothing to place it by\n");
  lost.point.failure = "It hung.";
  EXPECT_EQ(row(lost), "k           –            –            –     –          –  It hung.\n");
}

}  // namespace
}  // namespace rooftile::cli
