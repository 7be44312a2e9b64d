#include "analysis/verdict/diagnosis.hpp"

#include <gmock/gmock.h>

#include <functional>

#include "analysis/roofline/example_point.hpp"
#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

const SmLimits h200_limits = *sm_limits({9, 0});

Verdict verdict(const Point& point, const Roofs& roofs = example::h200_roofs()) {
  return diagnose(point, place(point, roofs).value(), occupancy_of(point, h200_limits));
}

// A counted GEMM whose traffic makes one level use this share of its roof, and the others almost nothing.
Point using_only(MemoryLevel level, double share) {
  Point point = example::counted_gemm();
  Counters& counters = *point.counters;
  counters.dram_read = counters.dram_write = counters.l2 = counters.l1 = Bytes{1e3};
  counters.shared_wavefronts = 10;
  counters.shared_conflicts = 0;
  const double seconds = point.timing->median.value;
  switch (level) {
    case MemoryLevel::dram:
      counters.dram_read = Bytes{share * 4274e9 * seconds};
      break;
    case MemoryLevel::l2:
      counters.l2 = Bytes{share * 10e12 * seconds};
      break;
    case MemoryLevel::l1:
      counters.l1 = Bytes{share * 30e12 * seconds};
      break;
    case MemoryLevel::shared:
      counters.shared_wavefronts = share * 32.85e12 / 128 * seconds;
      break;
    case MemoryLevel::distributed:
      counters.distributed = Bytes{share * 4.5e12 * seconds};
      break;
  }
  return point;
}

Roofs with_l1_roof() {
  Roofs roofs = example::h200_roofs();
  roofs.memory.push_back({MemoryLevel::l1, {30e12}, Origin::measured, ""});
  return roofs;
}

TEST(Diagnosis, WhatWasCountedInPartIsNotCalledLatency) {
  Point point = using_only(MemoryLevel::dram, 0.3);
  point.program = ProgramLaunches{};
  point.modelled.bytes = {};
  point.counters->shared_wavefronts.reset();
  point.counters->issue_use.reset();
  EXPECT_EQ(verdict(point).title, "Unknown bound");
  EXPECT_EQ(verdict(point).bound_by, unknown_text);
  point.counters->dram_read = Bytes{0.9 * 4274e9 * point.timing->median.value};
  EXPECT_EQ(verdict(point).bound_by, "DRAM") << "which is known all the same";
}

TEST(Diagnosis, WhatNsightComputeMeasuredAtALowClockIsSaidAndNotCalledLatency) {
  const struct {
    MemoryLevel level;
    double share, clock;
    const char *bound_by, *grounds;
  } rows[] = {
      {MemoryLevel::shared, 0.7, 1.1e9, "shared memory",
       "70 % of its bandwidth in use; DRAM is idle. Measured at 1,100 MHz; the roofs are those at 1,980 MHz."},
      {MemoryLevel::shared, 0.5, 1.1e9, unknown_text,
       "The closest roof is shared memory with 50 %. That may be all that the clock allowed: measure with ncu "
       "--clock-control none. Measured at 1,100 MHz; the roofs are those at 1,980 MHz."},
      {MemoryLevel::shared, 0.5, 1.98e9, "latency", "No roof is near: the closest is shared memory with 50 %."},
      {MemoryLevel::shared, 0.2, 1.1e9, "latency",
       "No roof is near: the closest is shared memory with 20 %. Measured at 1,100 MHz; the roofs are those at "
       "1,980 MHz."},
      {MemoryLevel::dram, 0.5, 1.1e9, "latency",
       "No roof is near: the closest is DRAM with 50 %. Measured at 1,100 MHz; the roofs are those at 1,980 "
       "MHz."},
  };
  for (const auto& row : rows) {
    Point point = using_only(row.level, row.share);
    point.counters->ffma = point.counters->fadd = point.counters->fmul = 0;
    point.counters->issue_use = point.counters->lsu_pipe_use = 0;
    point.program = ProgramLaunches{};
    point.clock = HeldClock{{row.clock}, {1.98e9}, {}};
    EXPECT_EQ(verdict(point).bound_by, row.bound_by) << row.grounds;
    EXPECT_EQ(verdict(point).grounds, row.grounds);
    point.program.reset();
    EXPECT_NE(verdict(point).bound_by, unknown_text) << "a launch of ours, whose clock the proof tells of";
  }
}

TEST(Diagnosis, NamesTheRoofThatBinds) {
  const struct {
    Point point;
    const char* title;
    const char* grounds;
    const char* bound_by;
    const char* id;
  } rows[] = {
      {example::counted_gemm(), "Bound by shared memory", "89 % of its bandwidth in use; DRAM is idle.",
       "shared memory", "shared"},
      {using_only(MemoryLevel::l2, 0.8), "Bound by L2", "80 % of its bandwidth in use; DRAM is idle.", "L2",
       "l2"},
      {using_only(MemoryLevel::l1, 0.75), "Bound by L1", "75 % of its bandwidth in use; DRAM is idle.", "L1",
       "l1"},
      {using_only(MemoryLevel::dram, 0.9), "Bound by DRAM",
       "90 % of its bandwidth in use. It moves 7.09 GB where 50.3 MB would do.", "DRAM", "dram"},
  };
  for (const auto& row : rows) {
    const Verdict result = verdict(row.point, with_l1_roof());
    EXPECT_EQ(result.title, row.title);
    EXPECT_EQ(result.grounds, row.grounds);
    EXPECT_EQ(result.bound_by, row.bound_by);
    EXPECT_EQ(result.id, row.id);
  }
}

TEST(Diagnosis, UnavoidableTrafficIsNotCalledWaste) {
  Point copy = using_only(MemoryLevel::dram, 0.9);
  copy.modelled.compulsory_dram = *copy.counters->bytes(MemoryLevel::dram);
  EXPECT_EQ(verdict(copy).grounds,
            "90 % of its bandwidth in use. Its 7.09 GB are the least that the problem needs.");
}

TEST(Diagnosis, Fp32HasARoofOfItsOwn) {
  Point point = using_only(MemoryLevel::l2, 0.3);
  point.counters->ffma = 0.9 * 66.9e12 / 2 * point.timing->median.value;
  const Verdict result = verdict(point);
  EXPECT_EQ(result.title, "Bound by FP32");
  EXPECT_EQ(result.grounds, "90 % of its peak in use; DRAM is idle.");
}

TEST(Diagnosis, ATensorPipeIsHeldAgainstItsOwnRoof) {
  Point point = using_only(MemoryLevel::l2, 0.3);
  point.modelled.pipe = bf16_tensor_pipe;
  point.counters->tensor = Flops{0.9 * 990e12 * point.timing->median.value};
  Roofs roofs = example::h200_roofs();
  roofs.compute.push_back({bf16_tensor_pipe, {990e12}, Origin::measured, "mma"});
  const Verdict result = diagnose(point, place(point, roofs).value(), {});
  EXPECT_EQ(result.title, "Bound by BF16 tensor");
  EXPECT_EQ(result.grounds, "90 % of its peak in use; DRAM is idle.");
}

TEST(Diagnosis, ARoofCloseBehindIsNamed) {
  Point point = using_only(MemoryLevel::shared, 0.85);
  point.counters->l2 = Bytes{0.78 * 10e12 * point.timing->median.value};
  EXPECT_EQ(verdict(point).grounds, "85 % of its bandwidth in use; L2 is close behind with 78 %.");
}

TEST(Diagnosis, BankConflictsComeFirstWhereSharedMemoryBinds) {
  Point point = using_only(MemoryLevel::shared, 0.9);
  point.counters->shared_conflicts = 0.5 * *point.counters->shared_wavefronts;
  EXPECT_EQ(
      verdict(point).grounds,
      "90 % of its bandwidth in use; DRAM is idle. 50 % of the shared-memory wavefronts are bank conflicts.");
  point.counters->shared_conflicts = 0.09 * *point.counters->shared_wavefronts;
  EXPECT_EQ(verdict(point).grounds.find("conflicts"), std::string::npos) << "below 10 % they cost little";
}

TEST(Diagnosis, Below60PercentOfEveryRoofItIsLatency) {
  EXPECT_EQ(verdict(using_only(MemoryLevel::l2, 0.61)).bound_by, "L2");
  EXPECT_EQ(verdict(using_only(MemoryLevel::l2, 0.59)).bound_by, "latency");
}

// Issues this share of what it can, in all of the time, and starts this share of the accesses.
Verdict with_front_end(Point point, double issue, double accesses) {
  Roofs roofs = with_l1_roof();
  roofs.compute.push_back({warp_issue, {1e12}, Origin::spec, "made up"});
  point.counters->warp_instructions = issue * 1e12 * point.timing->median.value;
  point.counters->issue_use = issue;
  point.counters->lsu_pipe_use = accesses;
  return verdict(point, roofs);
}

TEST(Diagnosis, ABusyFrontEndIsNoLatency) {
  const struct {
    double l1, issue, accesses;
    const char* title;
    const char* bound_by;
  } rows[] = {
      {0.52, 0.58, 0.85, "Bound by loads and stores", "loads, stores"},
      {0.45, 0.70, 0.34, "Bound by warp issue", "warp issue"},
      {0.45, 0.59, 0.59, "Bound by latency", "latency"},
      {0.61, 0.50, 0.92, "Bound by L1", "L1"},
  };
  for (const auto& row : rows) {
    const Verdict result = with_front_end(using_only(MemoryLevel::l1, row.l1), row.issue, row.accesses);
    EXPECT_EQ(result.title, row.title);
    EXPECT_EQ(result.bound_by, row.bound_by);
  }
}

TEST(Diagnosis, ABusyFrontEndSaysWhatIsBusy) {
  Point point = using_only(MemoryLevel::l1, 0.52);
  EXPECT_EQ(with_front_end(point, 0.5, 0.85).grounds,
            "The load/store units are 85 % busy; the closest roof is L1 with 52 %.");
  EXPECT_EQ(with_front_end(point, 0.9, 0.85).grounds,
            "The warp schedulers are 90 % busy; the closest roof is L1 with 52 %.");
  point.counters->shared_conflicts = 0.5 * *point.counters->shared_wavefronts;
  EXPECT_THAT(with_front_end(point, 0.5, 0.85).grounds, testing::HasSubstr("bank conflicts."));
}

TEST(Diagnosis, LatencySaysWhatKeepsTheWarpsWaiting) {
  const struct {
    std::function<void(Point&)> change;
    const char* grounds;
  } rows[] = {
      {[](Point&) {}, ""},
      {[](Point& point) { point.counters->achieved_occupancy = 0.6; },
       "60 % of a possible 100 % occupancy is reached: too few blocks, or they end unevenly."},
      {[](Point& point) { point.compiled->registers = 64; },
       "Only 32 of 64 warps are resident, limited by registers."},
      {[](Point& point) { point.compiled->static_shared_bytes = 120'000; },
       "Only 32 of 64 warps are resident, limited by shared memory."},
      {[](Point& point) {
         point.launch.block = {32, 1, 1};
       },
       "Only 32 of 64 warps are resident, limited by block slots."},
      {[](Point& point) {
         point.launch.block = {800, 1, 1};
       },
       "Only 50 of 64 warps are resident, limited by warps and registers."},
      {[](Point& point) { point.counters->shared_conflicts = 9; },
       "90 % of the shared-memory wavefronts are bank conflicts."},
  };
  for (const auto& row : rows) {
    Point point = using_only(MemoryLevel::l2, 0.4);
    point.compiled->static_shared_bytes = 0;
    row.change(point);
    const Verdict result = verdict(point);
    EXPECT_EQ(result.title, "Bound by latency");
    EXPECT_EQ(result.grounds, std::string("No roof is near: the closest is L2 with 40 %.") +
                                  (*row.grounds ? " " : "") + row.grounds);
  }
}

TEST(Diagnosis, ATimedPointSaysThatItsBytesAreModelled) {
  EXPECT_EQ(verdict(example::timed_gemm()).grounds,
            "By modelled bytes, 88.7 % of its bandwidth in use; DRAM is idle.");
}

TEST(Diagnosis, APredictionIsWordedAsOne) {
  const Verdict result = verdict(example::predicted_gemm());
  EXPECT_EQ(result.title, "Would be bound by shared memory");
  EXPECT_EQ(result.grounds, "By the model shared memory takes longest.");
  EXPECT_EQ(result.bound_by, "shared memory");
}

TEST(Diagnosis, WithoutRoofsThereIsNoVerdict) {
  EXPECT_EQ(verdict(example::counted_gemm(), Roofs{}).title, "No roof to compare with");
}

TEST(Limits, SayWhatWasCountedAndNothingElse) {
  Counters counters;
  EXPECT_TRUE(limits(counters).empty());
  counters.issue_use = 0.61;
  counters.l1_sectors = 0;
  counters.l1_hits = 0;
  counters.l2_requests = 200;
  counters.l2_hits = 150;
  EXPECT_EQ(limits(counters),
            (std::vector<std::string>{"warp schedulers issue in 61 % of the cycles", "L2 hit rate 75 %"}));
}

TEST(Limits, TellHowManySectorsAnAccessTakes) {
  Counters counters;
  counters.l1 = Bytes{32 * 4200};
  counters.global_requests = 1000;
  EXPECT_EQ(limits(counters), (std::vector<std::string>{"4.2 sectors per access to global memory"}));
  counters.distributed = Bytes{32 * 200};  // to other blocks' shared memory, in the same counter
  EXPECT_EQ(counters.sectors_per_request(), 4);
}

TEST(Diagnosis, WastedSectorsAreNamedUnlessAnotherRoofIsNear) {
  const struct {
    MemoryLevel level;
    double share, sectors;
    const char* bound_by;
  } rows[] = {
      {MemoryLevel::l1, 0.75, 30, "uncoalesced"}, {MemoryLevel::l1, 0.25, 30, "uncoalesced"},
      {MemoryLevel::l1, 0.75, 16, "L1"},          {MemoryLevel::l1, 0.25, 16, "latency"},
      {MemoryLevel::l2, 0.3, 30, "uncoalesced"},  {MemoryLevel::l2, 0.7, 30, "L2"},
      {MemoryLevel::dram, 0.9, 30, "DRAM"},       {MemoryLevel::shared, 0.3, 30, "latency"},
  };
  for (const auto& row : rows) {
    Point point = using_only(row.level, row.share);
    point.counters->global_requests = point.counters->bytes(MemoryLevel::l1)->value / 32 / row.sectors;
    EXPECT_EQ(verdict(point, with_l1_roof()).bound_by, row.bound_by)
        << title(row.level) << " " << row.share << " " << row.sectors;
  }
  Point point = using_only(MemoryLevel::l1, 0.25);
  point.counters->global_requests = point.counters->bytes(MemoryLevel::l1)->value / 32 / 30;
  EXPECT_EQ(verdict(point, with_l1_roof()).grounds,
            "A warp's access to global memory takes 30 sectors of 32 B; 4 would do for one float per lane. The "
            "closest "
            "roof is L1 with 25 %.");
}

TEST(OccupancyOf, TakesWhatWasCompiledAndLaunched) {
  Point point = example::counted_gemm();
  point.launch.dynamic_shared_bytes = 512;
  point.launch.carveout_percent = 50;
  const BlockResources block = resources_of(point.launch, point.compiled);
  EXPECT_EQ(block.threads, 1024);
  EXPECT_EQ(block.registers_per_thread, 32);
  EXPECT_EQ(block.static_shared_bytes, 8192);
  EXPECT_EQ(block.dynamic_shared_bytes, 512);
  EXPECT_EQ(block.carveout_percent, 50);
  EXPECT_EQ(block.named_barriers, 1) << "older sessions do not say";
  EXPECT_EQ(occupancy_of(point, h200_limits)->blocks, 2);
  EXPECT_FALSE(occupancy_of(example::predicted_gemm(), h200_limits)) << "nothing compiled yet";
}

TEST(OccupancyOf, NamedBarriersLimitBlocksOnHopper) {
  Point point = example::counted_gemm();
  point.launch.block = {64, 1, 1};
  point.compiled->static_shared_bytes = 0;
  point.compiled->named_barriers = 16;
  const Occupancy crowded = occupancy_of(point, h200_limits).value();
  EXPECT_EQ(crowded.blocks, 4) << "64 barriers per SM";
  EXPECT_EQ(std::ranges::find(crowded.limits, true, &BlockLimit::binds)->limiter, Limiter::barriers);
}

// sgemm_tiled on an RTX 4090 uses shared memory to 67 %, and yet latency takes longer.
TEST(Diagnosis, APredictionSaysWhatItRestsOnAndWhatTheLongestTermsTakeAlone) {
  Point point = example::predicted_gemm();
  point.modelled.time = Seconds{2e-3};
  point.modelled.basis = "the compiled code and 32 registers compiled for 9.0";
  point.modelled.alone = {{Term::latency, {1.41e-3}}, {Term::l1_and_shared, {1.35e-3}}, {Term::dram, {5e-5}}};
  const Verdict result = verdict(point);
  EXPECT_EQ(result.title, "Would be bound by latency");
  EXPECT_EQ(result.grounds,
            "Alone, latency would take 1.41 ms and L1 and shared memory 1.35 ms of the 2.00 ms. "
            "Predicted by the compiled code and 32 registers compiled for 9.0.");
  point.modelled.alone = {{Term::latency, {1.41e-3}}, {Term::dram, {5e-5}}};
  EXPECT_THAT(verdict(point).grounds,
              testing::StartsWith("Alone, latency would take 1.41 ms of the 2.00 ms. "));
}

}  // namespace
}  // namespace rooftile
