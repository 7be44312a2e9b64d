#include "app/cli/tables/program_table.hpp"

#include <gmock/gmock.h>

namespace rooftile::cli {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

LaunchReport launched(const std::string& kernel, double launches, double total) {
  LaunchReport found;
  found.point.kernel = kernel;
  found.point.gpu = "G";
  found.point.launch = {{64, 2, 1}, {256, 1, 1}, 512};
  found.point.program = ProgramLaunches{launches, 0, 0, {total}, 1};
  found.point.timing = Timing{{total / launches}, {total / launches}, {total / launches}, 1};
  found.placement.emplace();
  found.placement->evidence = Evidence::timed;
  found.placement->time = found.point.timing->median;
  found.verdict = Verdict{"Bound by latency", "", "latency"};
  return found;
}

LaunchReport counted(LaunchReport found) {
  found.point.counters = Counters{};
  found.point.counters->achieved_occupancy = 0.5;
  found.point.counters->warp_instructions = 1000;
  found.placement->evidence = Evidence::counted;
  found.placement->performance = FlopsPerSecond{1.5e12};
  found.placement->compute_share = 0.25;
  found.placement->levels = {{MemoryLevel::dram, Bytes{2e9}, {2e12}, {}, 0.5, true, false, {}},
                             {MemoryLevel::l2, Bytes{3e9}, {3e12}, {}, 0.4, true, false, {}}};
  found.verdict = Verdict{"Bound by DRAM", "Much, \"very\" much.", "DRAM"};
  return found;
}

TEST(ProgramTable, ARowSaysWhatWasLaunchedHowLongItTookAndWhatBindsIt) {
  EXPECT_EQ(program_table({counted(launched("copy(float*)", 3, 6e-3))}, 9).text(),
            "kernel  grid x block        launches     time  share     each        performance  of its roof"
            "  intensity     DRAM       L2  achieved occupancy  bound by  counted by\n"
            "copy    (64,2,1)x(256,1,1)         3  6.00 ms  100 %  2.00 ms  1.50 TFLOP/s FP32         50 %"
            "          \u2013  2.00 GB  3.00 GB                50 %  DRAM      replay\n");
}

TEST(ProgramTable, CountersOfSeveralRoundsSayHowMuchTheyVary) {
  LaunchReport found = counted(launched("k", 30, 1e-3));
  found.point.program->without_replay = true;
  found.point.counters->passes = 9;
  found.point.counters->rounds = 3;
  found.point.counters->spread = {{"ffma", 0}, {"dram_read_bytes", 0.12}};
  EXPECT_THAT(program_table({found}, 9).text(), HasSubstr("3 x 9 launches, dram_read_bytes 12 %"));
}

TEST(ProgramTable, WhatWasNotCountedIsNotSaidToBeBound) {
  const std::string all = program_table({launched("k", 1, 1e-3)}, 9).text();
  EXPECT_THAT(all, HasSubstr("not counted"));
  EXPECT_THAT(all, Not(HasSubstr("latency")));
}

TEST(ProgramTable, SharesAreOfAllKernelsThoughNotAllHaveARow) {
  const std::string all = program_table({launched("a", 1, 3e-3), launched("b", 1, 1e-3)}, 1).text();
  EXPECT_THAT(all, HasSubstr("75 %"));
  EXPECT_THAT(all, Not(HasSubstr("\nb ")));
}

TEST(ProgramCsv, EachLaunchIsALineOfAsManyFieldsAsTheHeader) {
  const std::string all =
      program_csv({counted(launched("void copy<float, 4>(int)", 4, 8e-3)), launched("k", 1, 1e-3)});
  std::vector<std::string> lines;
  std::istringstream in(all);
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
  }
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_THAT(lines[0], StartsWith("kernel,gpu,grid_x,"));
  EXPECT_THAT(lines[0], HasSubstr(",warp_instructions,bound_by,verdict,counted_by,spread,flops,"));
  EXPECT_THAT(lines[0], testing::EndsWith(",flags"));
  EXPECT_THAT(
      lines[1],
      StartsWith("\"void copy<float, "
                 "4>(int)\",G,64,2,1,256,1,1,512,,,4,0,0.008,0.002,0.002,0.002,1500000000000,FP32 FMA,0.5,"
                 "2000000000,3000000000,,,,0.5,1000,DRAM,\"Bound by DRAM. Much, \"\"very\"\" much.\",replay,"));
  EXPECT_THAT(lines[2],
              StartsWith("k,G,64,2,1,256,1,1,512,,,1,0,0.001,0.001,0.001,0.001,,,,,,,,,,,not counted,,,"));
  EXPECT_EQ(std::ranges::count(lines[2], ','), std::ranges::count(lines[0], ','));
}

}  // namespace
}  // namespace rooftile::cli
