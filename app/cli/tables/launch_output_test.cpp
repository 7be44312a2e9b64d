#include "app/cli/tables/launch_output.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace rooftile::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Gpu gpu() {
  Gpu made;
  made.name = "G";
  made.cc = {9, 0};
  made.sm_count = 132;
  made.sm = *sm_limits(made.cc);
  return made;
}

Roofs roofs() {
  return {
      "G", {{MemoryLevel::dram, {4e12}, Origin::measured, ""}}, {{fp32_pipe, {60e12}, Origin::measured, ""}}};
}

Point timed() {
  Point point;
  point.kernel = "turn";
  point.parameters = {{"TILE", 8}};
  point.gpu = "G";
  point.launch = {{10, 10, 1}, {256, 1, 1}, 0};
  point.modelled.flops = Flops{6e9};
  point.modelled.bytes[MemoryLevel::dram] = Bytes{1e9};
  point.compiled = Compiled{.cc = {9, 0}, .registers = 40, .static_shared_bytes = 1024};
  point.verification = Verification{true, 0, 1, ""};
  point.timing = Timing{{1e-3}, {1e-3}, {1.02e-3}, 7};
  return point;
}

Point counted() {
  Point point = timed();
  point.counters = Counters{};
  point.counters->ffma = 3e9;
  point.counters->dram_read = Bytes{1.5e9};
  point.counters->dram_write = Bytes{0.5e9};
  return point;
}

LaunchReport found(const Point& point) {
  const Gpu here = gpu();
  const Roofs known = roofs();
  return launch_report(point, &here, &known);
}

template <class Change>
std::string told(Point point, Change change) {
  change(point);
  return text(found(point));
}

TEST(LaunchText, StartsWithTheLaunchAndHowMuchIsKnown) {
  const auto begin = [](const std::string& all) { return all.substr(0, all.find("\n\n")); };
  EXPECT_EQ(begin(text(found(counted()))), "turn  TILE=8\nG, cold caches, counted");
  EXPECT_EQ(begin(text(found(timed()))), "turn  TILE=8\nG, cold caches, timed");
  const auto nowhere = [](Point& point) {
    point.gpu = "";
    point.timing.reset();
    point.caches = Caches::warm;
  };
  EXPECT_EQ(begin(told(timed(), nowhere)), "turn  TILE=8\nno GPU, warm caches, predicted");
  const auto faulty = [](Point& point) {
    point.timing.reset();
    point.failure = "turn TILE=8 overflowed its stack.";
  };
  EXPECT_EQ(begin(told(timed(), faulty)), "turn  TILE=8\nG, cold caches, failed");
}

TEST(LaunchText, ShowsSpeedAndBytesWithTheirShares) {
  const std::string all = text(found(counted()));
  EXPECT_THAT(all, HasSubstr("time         1.00 ms  median of 7, spread 2 %\n"
                             "performance  6.00 TFLOP/s  10 % of the FP32 roof\n"
                             "FLOPs        6.00 GFLOP  counted\n\n"
                             "level    bytes  bandwidth    intensity  of its roof  bytes are\n"
                             "DRAM   2.00 GB  2.00 TB/s  3.00 FLOP/B         50 %  counted\n"));
  EXPECT_THAT(text(found(timed())),
              HasSubstr("DRAM   1.00 GB  1.00 TB/s  6.00 FLOP/B         25 %  modelled\n"));
}

TEST(LaunchText, AddsALineForWhatIsKnownOnly) {
  const struct {
    void (*change)(Point&);
    const char* words;
  } rows[] = {
      {[](Point&) {}, "compiled   40 registers, 1.02 kB shared memory, 0 B spilled, for 9.0\n"},
      {[](Point& p) { p.compiled->spill_store_bytes = 40, p.compiled->spill_load_bytes = 60; },
       "100 B spilled"},
      {[](Point& p) { p.launch.dynamic_shared_bytes = 4096; }, "5.12 kB shared memory"},
      {[](Point& p) {
         p.launch.cluster = {2, 1, 1};
       },
       "launch     100 blocks of 256 threads in clusters of 2\n"},
      {[](Point& p) { p.counters->achieved_occupancy = 0.5; }, "           50 % achieved\n"},
      {[](Point& p) { p.counters->sm_clock = Hertz{1.98e9}; }, "clocks     SM 1,980 MHz, DRAM –\n"},
      {[](Point& p) {
         p.phases = {{"compile", {0.04}}, {"time", {0.01}}};
       },
       "phases     compile 40.0 ms, time 10.0 ms\n"},
      {[](Point& p) {
         p.notes = {"One.", "Two."};
       },
       "note       One.\n           Two.\n"},
      {[](Point& p) { p.counters->issue_use = 0.61; }, "61 %"},
      {[](Point& p) {
         p.failure = "It hung.";
         p.final = true;
       },
       "This launch failed. It hung.\n"},
      {[](Point& p) {
         p.verification = Verification{false, 3, 1, "C[0] is 7."};
       },
       "The result is wrong. C[0] is 7.\n"},
      {[](Point& p) {  // as the worker tells of it
         p.failure = "The result is wrong: C: element 0 is 7.";
         p.verification = Verification{false, 3, 1, "C: element 0 is 7", {}, {}};
       },
       "The result is wrong. C: element 0 is 7.\n"},
      {[](Point& p) { p.counters->shared_conflicts = 25, p.counters->shared_wavefronts = 100; },
       "conflicts  25 % of the shared-memory wavefronts: 25\n"},
  };
  for (const auto& row : rows) {
    EXPECT_THAT(told(counted(), row.change), HasSubstr(row.words));
  }
  EXPECT_THAT(told(counted(), [](Point& p) { p.launch = {}; }), HasSubstr("launch     1 block of 1 thread\n"));
  EXPECT_THAT(text(found(counted())), AllOf(Not(HasSubstr("clocks")), Not(HasSubstr("phases")),
                                            Not(HasSubstr("note ")), Not(HasSubstr("conflicts"))));
  EXPECT_THAT(told(counted(), [](Point& p) { p.launch = {}, p.compiled.reset(); }), Not(HasSubstr("launch   ")))
      << "a library's";
}

TEST(LaunchText, WhatLiesAboveItsRoofIsMarked) {
  const auto beyond = [](Point& p) { p.counters->dram_read = Bytes{5e9}; };
  EXPECT_THAT(told(counted(), beyond),
              AllOf(HasSubstr("138 % !"), HasSubstr("FAILED"),
                    HasSubstr("!          Share of the DRAM roof 138 %: 5.50 GB in 1.00 ms = 5.50 "
                              "TB/s; roof: 4.00 TB/s (measured).\n")));
}

TEST(LaunchText, OfTheBytesReturnedTheColumnSaysSo) {
  Point point = counted();
  point.counters->l2 = Bytes{2e9};
  point.counters->l2_returned = Bytes{1.5e9};
  const Roofs known = roofs();
  EXPECT_THAT(text(launch_report(point, nullptr, &known, ByteDefinition::returned)),
              AllOf(HasSubstr("bytes returned"), HasSubstr("1.50 GB")));
  EXPECT_THAT(text(launch_report(point, nullptr, &known)),
              AllOf(HasSubstr("2.00 GB"), Not(HasSubstr("returned"))));
}

TEST(LaunchOutput, FollowsFromTheGpuAndTheRoofsThatAreKnown) {
  const Gpu here = gpu();
  const Roofs known = roofs();
  const struct {
    const Gpu* gpu;
    const Roofs* roofs;
  } rows[] = {{nullptr, nullptr}, {&here, nullptr}, {nullptr, &known}, {&here, &known}};
  for (const auto& row : rows) {
    const LaunchReport all = launch_report(counted(), row.gpu, row.roofs);
    EXPECT_EQ(all.theoretical.has_value(), row.gpu != nullptr);
    EXPECT_EQ(all.placement.has_value(), row.roofs != nullptr);
    EXPECT_EQ(all.verdict.title == "No roof to compare with", row.roofs == nullptr);
    EXPECT_EQ(all.checks.empty(), row.roofs == nullptr);
  }
}

TEST(LaunchOutput, APredictionIsProvedByNothing) {
  Point predicted = timed();
  predicted.timing.reset();
  const LaunchReport all = found(predicted);
  ASSERT_TRUE(all.placement);
  EXPECT_EQ(all.placement->evidence, Evidence::predicted);
  EXPECT_THAT(all.checks, IsEmpty());
  EXPECT_THAT(text(all), HasSubstr("time         250 µs  lower bound from the roofs\n"));
}

TEST(LaunchOutput, ALaunchThatFailedIsPlacedNowhere) {
  Point failed = timed();
  failed.failure = "It hung.";
  const LaunchReport all = found(failed);
  EXPECT_FALSE(all.placement);
  const auto written = json_of(all);
  EXPECT_FALSE(written.contains("placement"));
  EXPECT_EQ(written.at("point").at("failure"), "It hung.");
  EXPECT_EQ(written.at("verdict").at("bound_by_text"), "failed");
  EXPECT_FALSE(written.at("verdict").contains("bound_by")) << "nothing bounds it";
}

TEST(LaunchOutput, OfASessionNameWhatTellsItsLaunchesApart) {
  SessionLog log;
  log.devices.emplace_back().gpu = gpu();
  log.roofs = {roofs()};
  Point small = counted(), large = counted();
  large.id = small.id + 1;
  large.parameters["TILE"] = 16;
  log.points.add(small);
  EXPECT_EQ(launch_reports(log).at(0).name, "turn");
  log.points.add(large);
  EXPECT_EQ(launch_reports(log).at(0).name, "turn TILE=8");
  EXPECT_EQ(launch_reports(log).at(1).name, "turn TILE=16");
  Point elsewhere = small;
  elsewhere.gpu = "H";
  EXPECT_FALSE(launch_report(elsewhere, log).placement) << "its roofs are not in the session";
}

TEST(LaunchJson, HoldsRatiosBelowOneAndUnitsInItsKeys) {
  const auto all = json_of(found(counted()));
  const auto& placement = all.at("placement");
  EXPECT_EQ(placement.at("evidence"), "counted");
  EXPECT_EQ(placement.at("time_s"), 1e-3);
  EXPECT_EQ(placement.at("performance_flops_per_s"), 6e12);
  EXPECT_EQ(placement.at("pipe"), fp32_pipe);
  EXPECT_EQ(placement.at("share_of_compute_roof"), 0.1);
  EXPECT_EQ(placement.at("above_compute_roof"), false);
  const auto& dram = placement.at("levels").at(0);
  EXPECT_EQ(dram.at("level"), "dram");
  EXPECT_EQ(dram.at("bytes"), 2e9);
  EXPECT_EQ(dram.at("bandwidth_bytes_per_s"), 2e12);
  EXPECT_EQ(dram.at("intensity_flops_per_byte"), 3);
  EXPECT_EQ(dram.at("share_of_roof"), 0.5);
  EXPECT_EQ(dram.at("counted"), true);
  EXPECT_EQ(dram.at("above_roof"), false);
  EXPECT_EQ(all.at("theoretical_occupancy").at("ratio"), 0.75);
  EXPECT_EQ(all.at("theoretical_occupancy").at("blocks_per_sm"), 6);
  EXPECT_EQ(all.at("checks").at(0).at("state"), "passed");
  EXPECT_EQ(all.at("verdict").at("bound_by_text"), found(counted()).verdict.bound_by);
}

TEST(LaunchJson, LeavesOutWhatIsNotKnown) {
  Point bare = counted();
  bare.modelled.flops.reset();
  bare.counters->ffma.reset();
  const auto all = json_of(launch_report(bare, nullptr, nullptr));
  for (const char* key : {"placement", "theoretical_occupancy", "checks", "advice"}) {
    EXPECT_FALSE(all.contains(key)) << key;
  }
  const auto without_flops = json_of(found(bare)).at("placement");
  for (const char* key : {"performance_flops_per_s", "share_of_compute_roof", "pipe", "issue_share"}) {
    EXPECT_FALSE(without_flops.contains(key)) << key;
  }
  EXPECT_FALSE(without_flops.at("levels").at(0).contains("intensity_flops_per_byte"));
}

TEST(LaunchJson, HasEveryFigureByItsIdWithItsTextAndHowItIsKnown) {
  Point point = counted();
  point.counters->achieved_occupancy = 1.1;
  const auto figures = json_of(found(point)).at("figures");
  EXPECT_EQ(figures.at("dram_intensity_flops_per_byte"),
            (nlohmann::json{{"value", 3}, {"text", "3.00 FLOP/B"}, {"evidence", "counted"}}));
  EXPECT_EQ(figures.at("theoretical_occupancy").at("evidence"), "quoted");
  EXPECT_FALSE(figures.contains("l2_bytes")) << "not counted";
  EXPECT_THAT(figures.at("achieved_occupancy").at("flag_text"), HasSubstr("110 %"));
  EXPECT_FALSE(figures.at("theoretical_occupancy").contains("flag_text"));
}

}  // namespace
}  // namespace rooftile::cli
