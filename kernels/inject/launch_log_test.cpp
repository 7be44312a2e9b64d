#include "kernels/inject/launch_log.hpp"

#include <gmock/gmock.h>

namespace rooftile::inject {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

LaunchKey key(const std::string& symbol) {
  return {0, symbol, {8, 2, 1}, {256, 1, 1}, 1024};
}

TracedLaunch traced(double seconds, bool in_graph = false) {
  TracedLaunch launch;
  launch.duration = {seconds};
  launch.registers = 40;
  launch.static_shared_bytes = 2048;
  launch.local_bytes = 16;
  launch.cluster = {2, 1, 1};
  launch.in_graph = in_graph;
  return launch;
}

CountedGroup counted(std::size_t group, double seconds, bool replayed = true) {
  CountedGroup counted{group, Counters{}, replayed};
  counted.counters->duration = Seconds{seconds};
  counted.counters->ffma = 100;
  counted.counters->fadd = 0;
  counted.counters->fmul = 0;
  counted.counters->tensor_by_pipe = {{bf16_tensor_pipe, Flops{1000}}, {tf32_tensor_pipe, Flops{0}}};
  counted.counters->passes = 3;
  return counted;
}

// Without the times of the single launches.
ProgramLaunches totals_of(const Point& point) {
  ProgramLaunches totals = point.program.value();
  totals.over_time.clear();
  return totals;
}

const CountedLaunch replayed{true, {0.1}}, counted_in_a_pass{false, {0.01}};

Gpu gpu() {
  Gpu made;
  made.name = "G";
  made.cc = {9, 0};
  return made;
}

TEST(LaunchLog, AGroupIsAKernelAndAShape) {
  LaunchLog log;
  LaunchKey grid = key("a"), block = key("a"), shared = key("a"), device = key("a");
  grid.grid.y = 3;
  block.block.z = 2;
  shared.dynamic_shared_bytes = 0;
  device.device = 1;
  std::size_t expected = 0;
  for (const LaunchKey& each : {key("a"), key("b"), grid, block, shared, device}) {
    EXPECT_EQ(log.group_of(each), expected);
    EXPECT_EQ(log.group_of(each), expected++) << "again";
  }
  EXPECT_EQ(log.size(), 6u);
}

TEST(LaunchLog, TellsWhenLaunchesBeganAndThinsThemEvenly) {
  LaunchLog log;
  const std::size_t early = log.group_of(key("early")), many = log.group_of(key("many"));
  const auto at = [](std::uint64_t start) {
    TracedLaunch launch = traced(1e-6);
    launch.start = start;
    return launch;
  };
  log.add(many, at(5'000'000'000));
  log.add(early, at(2'000'000'000));
  EXPECT_THAT(log.point(many, gpu()).program->over_time, ElementsAre(LaunchTime{{3}, {1e-6}}));
  for (std::uint64_t i = 1; i < 1000; ++i) {
    log.add(many, at(5'000'000'000 + i * 1'000'000'000));
  }
  const auto times = log.point(many, gpu()).program->over_time;
  ASSERT_GT(times.size(), LaunchTimes::most / 2);
  ASSERT_LE(times.size(), LaunchTimes::most);
  for (std::size_t i = 0; i < times.size(); ++i) {
    EXPECT_DOUBLE_EQ(times[i].began.value, 3 + 16.0 * static_cast<double>(i)) << "every sixteenth";
  }
}

TEST(LaunchLog, APointStandsForAllLaunchesOfAGroup) {
  LaunchLog log;
  const std::size_t group = log.group_of(key("_Z4copyIfEvPKT_PS0_m"));
  for (const double seconds : {3e-6, 1e-6, 2e-6}) {
    log.add(group, traced(seconds));
  }
  log.describe(group, traced(0));
  log.add(group, replayed);
  log.add(counted(group, 10e-6));
  const Point point = log.point(group, gpu());
  EXPECT_EQ(point.kernel, "void copy<float>(float const*, float*, unsigned long)");
  EXPECT_EQ(point.gpu, "G");
  EXPECT_EQ(point.launch, (Launch{{8, 2, 1}, {256, 1, 1}, 1024, {2, 1, 1}}));
  EXPECT_EQ(point.timing, (Timing{{2e-6}, {1e-6}, {3e-6}, 3, {}, {}})) << "of the launches that ran as always";
  EXPECT_EQ(point.program->launches, 4);
  EXPECT_EQ(point.program->counted, 1);
  EXPECT_DOUBLE_EQ(point.program->total.value, 8e-6) << "the replayed one as long as those that were traced";
  EXPECT_EQ(point.compiled->registers, 40);
  EXPECT_EQ(point.compiled->static_shared_bytes, 2048);
  EXPECT_EQ(point.modelled.pipe, bf16_tensor_pipe) << "the busiest";
  EXPECT_EQ(point.counted_flops(), Flops{1000});
  EXPECT_THAT(point.phases, ElementsAre(Phase{"count", {0.1}}));
  EXPECT_THAT(point.notes, IsEmpty());
  EXPECT_EQ(point.evidence(), Evidence::counted);
}

TEST(LaunchLog, ALaunchThatCameOnceHasTheTimeOfItsCount) {
  LaunchLog log;
  const std::size_t group = log.group_of(key("once"));
  log.add(group, replayed);
  log.add(counted(group, 4e-6));
  const Point point = log.point(group, gpu());
  EXPECT_EQ(point.timing, (Timing{{4e-6}, {4e-6}, {4e-6}, 1, {}, {}}));
  EXPECT_EQ(point.program->total, Seconds{4e-6});
  EXPECT_THAT(point.notes, ElementsAre(HasSubstr("Every launch was counted")));
}

TEST(LaunchLog, WhatAGraphLaunchesIsTimedAndSaysWhyItIsNotCounted) {
  LaunchLog log;
  const std::size_t group = log.group_of(key("shift"));
  log.add(group, traced(2e-6, true));
  log.add(group, traced(2e-6, true));
  const Point point = log.point(group, gpu());
  EXPECT_EQ(point.program->in_graphs, 2);
  EXPECT_EQ(point.evidence(), Evidence::timed);
  EXPECT_THAT(point.notes, ElementsAre(HasSubstr("CUDA graph")));
}

TEST(LaunchLog, ACountWithoutNumbersIsToldOf) {
  LaunchLog log;
  const std::size_t group = log.group_of(key("k"));
  log.add(group, traced(2e-6));
  log.add(group, replayed);
  log.add(CountedGroup{group, {}, true});
  const Point point = log.point(group, gpu());
  EXPECT_EQ(totals_of(point), (ProgramLaunches{2, 0, 0, {2e-6}, 1}));
  EXPECT_FALSE(point.counters);
  EXPECT_THAT(point.notes, ElementsAre(HasSubstr("without numbers")));
}

TEST(LaunchLog, LaunchesCountedInOnePassTakeTheTimeOfTheOthers) {
  LaunchLog log;
  const std::size_t group = log.group_of(key("k"));
  log.add(group, traced(2e-6));
  for (int pass = 0; pass < 3; ++pass) {
    log.add(group, counted_in_a_pass);
    log.describe(group, traced(5e-6));
  }
  log.add(counted(group, 9e-6, false));
  const Point point = log.point(group, gpu());
  EXPECT_EQ(point.timing, (Timing{{2e-6}, {2e-6}, {2e-6}, 1, {}, {}}));
  EXPECT_EQ(totals_of(point), (ProgramLaunches{4, 0, 3, {8e-6}, 1, 3, true}));
  EXPECT_FALSE(point.counters->duration) << "a range around a launch is longer than the launch";
  EXPECT_THAT(point.notes, ElementsAre("The counters are those of 3 launches, each counted in one pass."));
}

TEST(LaunchLog, ALaunchWithoutATimeCountsWithTheMeanOfThoseThatHaveOne) {
  const struct {
    std::vector<double> traced;
    double untimed;  // the time that each launch without one counts with
  } rows[] = {{{1, 1, 10}, 4}, {{1, 3, 1, 3}, 2}, {{2}, 2}};
  for (const auto& row : rows) {
    LaunchLog log;
    const std::size_t group = log.group_of(key("differs"));
    double expected = 2 * row.untimed;
    for (const double seconds : row.traced) {
      log.add(group, traced(seconds));
      expected += seconds;
    }
    log.add_untimed(group, "");
    log.add(group, counted_in_a_pass);
    EXPECT_DOUBLE_EQ(log.point(group, gpu()).program->total.value, expected);
  }
}

TEST(LaunchLog, AKernelLaunchedTooSeldomIsToldAsIncomplete) {
  LaunchLog log;
  const std::size_t group = log.group_of(key("k"));
  for (const double seconds : {7e-6, 5e-6}) {
    log.add(group, counted_in_a_pass);
    log.describe(group, traced(seconds));
  }
  const Point point = log.point(group, gpu());
  EXPECT_FALSE(point.counters);
  EXPECT_EQ(point.timing->median, Seconds{5e-6}) << "patching makes the other one longer";
  EXPECT_EQ(totals_of(point), (ProgramLaunches{2, 0, 2, {10e-6}, 1, 2, false}));
  EXPECT_THAT(point.notes, testing::Contains(HasSubstr("Incomplete: 2 of its launches were counted")));
}

TEST(LaunchLog, CountersOfPassesReplaceThoseOfAReplay) {
  LaunchLog log;
  const std::size_t group = log.group_of(key("k"));
  log.add(group, replayed);
  log.add(counted(group, 4e-6));
  log.add(group, traced(2e-6));
  log.add(counted(group, 9e-6, false));
  const Point point = log.point(group, gpu());
  EXPECT_TRUE(point.program->without_replay);
  EXPECT_EQ(point.timing->median, Seconds{2e-6});
}

TEST(LaunchLog, TellsOnceWhatChanged) {
  LaunchLog log;
  const std::size_t a = log.group_of(key("a")), b = log.group_of(key("b"));
  EXPECT_THAT(log.take_changed(), IsEmpty());
  log.add(b, traced(1e-6));
  EXPECT_THAT(log.take_changed(), ElementsAre(b));
  log.add(counted(a, 1e-6));
  log.describe(b, traced(1e-6));
  EXPECT_THAT(log.take_changed(), ElementsAre(a, b));
  EXPECT_THAT(log.take_changed(), IsEmpty());
}

TEST(LaunchLog, NamesThatAreNotMangledStayAsTheyAre) {
  EXPECT_EQ(readable_name("sm90_xmma_gemm"), "sm90_xmma_gemm");
  EXPECT_EQ(readable_name("_Z5halfsv"), "halfs()");
  EXPECT_EQ(readable_name(""), "");
  EXPECT_EQ(readable_name(std::string(5000, 'x')).size(), 2000u);
}

}  // namespace
}  // namespace rooftile::inject
