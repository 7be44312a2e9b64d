#include "app/cli/tables/points_table.hpp"

#include <gmock/gmock.h>

#include <sstream>

namespace rooftile::cli {
namespace {

LaunchReport launch(const std::string& name, Evidence evidence) {
  LaunchReport found;
  found.name = name;
  found.placement.emplace();
  found.placement->evidence = evidence;
  found.placement->time = {1e-3};
  found.placement->levels = {{MemoryLevel::dram, Bytes{2e9}, {2e12}, {}, 0.5, true, false, {}}};
  found.verdict = Verdict{"", "", "DRAM"};
  return found;
}

std::string row(const LaunchReport& found) {
  const std::string all = points_table({found}).text();
  return all.substr(all.find('\n') + 1);
}

TEST(PointsTable, ARowHoldsTimeSpeedShareIntensityBytesOccupancyAndWhatBindsIt) {
  LaunchReport best = launch("copy", Evidence::counted);
  best.placement->performance = FlopsPerSecond{1.5e12};
  best.placement->compute_share = 0.25;
  best.placement->levels[0].intensity = FlopsPerByte{0.75};
  best.point.counters = Counters{};
  best.point.counters->achieved_occupancy = 0.5;
  EXPECT_EQ(points_table({best}).text(),
            "variant     time   performance  of its roof     intensity     DRAM  achieved occupancy  bound by\n"
            "copy     1.00 ms  1.50 TFLOP/s         50 %  0.750 FLOP/B  2.00 GB                50 %  DRAM\n");
}

TEST(PointsTable, TheKernelOfAProgramHasItsShortName) {
  LaunchReport found = launch("a configuration nobody has", Evidence::counted);
  found.point.kernel = "void mine::gemm<float, 16>(" + std::string(2000, 'x') + ")";
  found.point.program.emplace();
  EXPECT_TRUE(row(found).starts_with("gemm<float, 16>  "));
  EXPECT_LT(row(found).size(), 150u);
}

// The cells of a row without its name, with single blanks.
std::string cells(const LaunchReport& found) {
  std::istringstream words(row(found));
  std::string all, word;
  for (words >> word; words >> word;) {
    all += (all.empty() ? "" : " ") + word;
  }
  return all;
}

TEST(PointsTable, TheShareIsThatOfTheNearestRoof) {
  LaunchReport found = launch("k", Evidence::counted);
  found.placement->compute_share = 0.75;
  EXPECT_EQ(cells(found), "1.00 ms \u2013 75 % \u2013 2.00 GB \u2013 DRAM");
  found.placement->compute_share.reset();
  found.placement->levels.clear();
  EXPECT_EQ(cells(found), "1.00 ms \u2013 \u2013 \u2013 \u2013 \u2013 DRAM") << "no roof";
}

TEST(PointsTable, TheTheoreticalOccupancyNeverStandsInForTheAchievedOne) {
  LaunchReport found = launch("k", Evidence::counted);
  found.theoretical = Occupancy{4, 64, 64, {}};
  found.point.counters = Counters{};
  EXPECT_EQ(cells(found), "1.00 ms \u2013 50 % \u2013 2.00 GB \u2013 DRAM");
  found.point.counters->achieved_occupancy = 0.875;
  EXPECT_EQ(cells(found), "1.00 ms \u2013 50 % \u2013 2.00 GB 87.5 % DRAM");
}

TEST(PointsTable, WhatIsNotCountedSaysHowItIsKnown) {
  EXPECT_THAT(row(launch("k", Evidence::timed)), testing::EndsWith("  DRAM (timed)\n"));
  EXPECT_THAT(row(launch("k", Evidence::predicted)), testing::EndsWith("  DRAM (predicted)\n"));
}

TEST(PointsTable, ALaunchWithoutAPlaceSaysWhy) {
  LaunchReport lost;
  lost.name = "k";
  lost.verdict.title = "No roof to compare with";
  EXPECT_EQ(cells(lost), "\u2013 \u2013 \u2013 \u2013 \u2013 \u2013 No roof to compare with");
  lost.point.failure = "It hung.";
  EXPECT_EQ(cells(lost), "\u2013 \u2013 \u2013 \u2013 \u2013 \u2013 It hung.");
}

TEST(PointsTable, WhatIsAboveWhatThereIsIsMarkedAndExplainedBelow) {
  LaunchReport found = launch("k", Evidence::counted);
  EXPECT_EQ(flag_lines({found}), "");
  found.placement->levels[0].share = 1.5;
  EXPECT_EQ(cells(found), "1.00 ms \u2013 150 % ! \u2013 2.00 GB \u2013 DRAM !");
  EXPECT_EQ(flag_lines({found}),
            "! k: Share of the DRAM roof 150 %: 2.00 GB in 1.00 ms = 2.00 TB/s; "
            "roof: 1.33 TB/s.\n");
}

}  // namespace
}  // namespace rooftile::cli
