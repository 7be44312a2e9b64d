// A program whose launches are counted a pass each. The fake's configuration has two passes, the second one for
// patched metrics, and every metric is 1.
#include "kernels/inject/test_program.hpp"

namespace rooftile::inject {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class PassesTest : public InjectionTest {
 protected:
  // The time that is measured around a counted launch, [ns].
  static std::map<std::string, std::string> around_a_launch(const std::string& time) {
    return {{"FAKE_METRICS", "sm__inst_executed_pipe_tensor.sum=0,gpu__time_duration.sum=" + time}};
  }
  // The points of a program whose launches are never replayed.
  std::vector<Point> points(const Words& words, const std::map<std::string, std::string>& more = {},
                            ReplayUse replay = ReplayUse::never) {
    ProfileOptions options;
    options.replay = replay;
    const auto logs = records(words, options, more);
    return {logs.at(0).points.begin(), logs.at(0).points.end()};
  }
  std::vector<Facility> facilities() const {
    const auto file = *std::filesystem::directory_iterator(folder_.path());
    return platform::load_session(file.path()).header.facilities;
  }
};

// A launch outside of the stretches is left to the trace first, which tells its time.
TEST_F(PassesTest, AKernelIsCompleteAfterAsManyLaunchesAsThereArePassesAndATracedOne) {
  const auto all = points({"a=100", "a=100", "a=100", "a=100"}, around_a_launch("1000"));
  EXPECT_THAT(ways(), ElementsAre("a", "a, pass 0", "a, pass 1", "a"));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_DOUBLE_EQ(all[0].program->total.value, 400e-9);
  EXPECT_EQ(all[0].program->in_one_pass, 2);
  EXPECT_TRUE(all[0].program->without_replay);
  ASSERT_TRUE(all[0].counters);
  EXPECT_EQ(all[0].counters->passes, 2);
  EXPECT_EQ(all[0].counters->l2, Bytes{1});
  EXPECT_EQ(all[0].counters->dfma, 1) << "of the last pass";
}

TEST_F(PassesTest, KernelsThatLackAPassShareAStretch) {
  const auto all = points({"a=1", "b=1", "b=1", "c=1", "a=1", "b=1", "c=1", "a=1", "b=1", "c=1", "a=1"});
  EXPECT_THAT(ways(), ElementsAre("a", "b", "b, pass 0", "c", "a, pass 1", "b, pass 1", "c, pass 1",
                                  "a, pass 0", "b", "c, pass 0", "a"));
  for (const Point& point : all) {
    EXPECT_TRUE(point.counters) << point.kernel;
  }
}

TEST_F(PassesTest, AKernelWaitsForItsPassWhileOthersLackAnEarlierOne) {
  points({"a=1", "a=1", "b=1", "b=1", "c=1", "a=1", "b=1", "a=1"});
  EXPECT_THAT(ways(), ElementsAre("a", "a, pass 0", "b", "b, pass 1", "c", "a", "b, pass 0", "a, pass 1"));
}

TEST_F(PassesTest, PassesOfTheTensorPipeAreForKernelsThatUseIt) {
  const std::map<std::string, std::string> tensor = {{"FAKE_METRICS", "sm__inst_executed_pipe_tensor.sum=8"}};
  const auto all = points(Words(5, "a=1"), tensor);
  EXPECT_THAT(ways(), ElementsAre("a", "a, pass 0", "a, pass 1", "a, pass 2", "a"));
  EXPECT_EQ(all.at(0).counters->tensor_by_pipe.at(bf16_tensor_pipe), Flops{1});
  EXPECT_EQ(points(Words(4, "a=1")).at(0).counters->tensor_by_pipe.at(bf16_tensor_pipe), Flops{0});
}

// One more pass tells it.
TEST_F(PassesTest, AConstantWrittenByTheTensorPipeIsNoUseOfIt) {
  const auto all = points(Words(5, "a=1"), {{"FAKE_METRICS",
                                             "sm__inst_executed_pipe_tensor.sum=8,"
                                             "sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum=8"}});
  EXPECT_THAT(ways(), ElementsAre("a", "a, pass 0", "a, pass 1", "a, pass 2", "a"));
  EXPECT_EQ(all.at(0).counters->tensor_by_pipe.at(bf16_tensor_pipe), Flops{0});
}

// The stretch ends with it.
TEST_F(PassesTest, AKernelThatComesLaterIsLeftToTheTraceFirst) {
  points({"a=1", "a=1", "a=1", "b=1", "b=1", "b=1", "b=1"});
  EXPECT_THAT(ways(), ElementsAre("a", "a, pass 0", "a, pass 1", "b", "b, pass 0", "b, pass 1", "b"));
}

TEST_F(PassesTest, AKernelWhoseLaunchesFallIntoAStretchIsCountedWithoutATime) {
  points({"a=1", "b=1", "c=1", "a=1", "b=1", "c=1", "new=1", "new=1", "new=1"});
  EXPECT_THAT(ways(),
              ElementsAre("a", "b", "c", "a, pass 0", "b, pass 0", "c, pass 0", "new", "new", "new, pass 0"));
}

// While the image is full others wait.
TEST_F(PassesTest, MoreKernelsThanTheImageHoldsAreCountedInTurn) {
  Words words;
  for (int round = 0; round < 8; ++round) {
    for (int kernel = 0; kernel < 100; ++kernel) {
      words.push_back(fmt::format("k{}=1", kernel));
    }
  }
  for (const Point& point : points(words)) {
    EXPECT_TRUE(point.counters) << point.kernel;
  }
}

TEST_F(PassesTest, AStretchDoesNotWaitForWhatTheImageHasNoRoomFor) {
  Words words;
  for (int round = 0; round < 3; ++round) {
    for (int kernel = 0; kernel < 65; ++kernel) {
      words.push_back("k" + std::to_string(kernel) + "=1");
    }
  }
  const auto all = points(words);
  EXPECT_EQ(std::ranges::count_if(all, [](const Point& point) { return point.counters.has_value(); }), 64);
}

TEST_F(PassesTest, LaunchesOfAStretchGoUntracedAndAreInTheTotalAllTheSame) {
  const auto all = points({"a=100", "b=50", "c=10", "b=50", "a=100", "b=50", "a=100", "b=50", "a=100"});
  EXPECT_THAT(ways(), ElementsAre("a", "b", "c", "b, pass 0", "a, pass 0", "b", "a, pass 1", "b, pass 1", "a"));
  EXPECT_EQ(all.at(0).program->launches, 4);
  EXPECT_EQ(all.at(1).program->launches, 4);
  EXPECT_EQ(all.at(0).program->in_one_pass, 2);
}

// Launches of graphs that are counted are not traced, so they have a row with their time.
TEST_F(PassesTest, AGraphIsCountedAsAWhole) {
  const auto all = points(Words(4, "graph:g=20"), around_a_launch("1000"));
  EXPECT_THAT(ways(), ElementsAre("g", "g, pass 0", "g, pass 1", "g"));
  ASSERT_EQ(all.size(), 2u);
  const Point &graph = all.at(0), &kernel = all.at(1);
  EXPECT_EQ(graph.kernel, "CUDA_graph_1");
  ASSERT_TRUE(graph.counters);
  EXPECT_TRUE(graph.counters->l2);
  EXPECT_FALSE(graph.counters->ffma || graph.counters->global_requests) << "no kernel of it is patched";
  EXPECT_EQ(graph.program->launches, 4);
  EXPECT_DOUBLE_EQ(graph.timing->median.value, 20e-9);
  EXPECT_DOUBLE_EQ(graph.program->total.value, 40e-9) << "the two that were counted";
  EXPECT_THAT(graph.notes, Contains(HasSubstr("runs 1 kernel,")));
  EXPECT_FALSE(kernel.counters);
  EXPECT_DOUBLE_EQ(kernel.program->total.value, 40e-9) << "the two that were traced";
  EXPECT_THAT(kernel.notes, Contains(HasSubstr("the graph is counted as a whole")));
}

TEST_F(PassesTest, GraphsShareStretchesWithKernels) {
  points({"a=1", "graph:g=1", "a=1", "graph:h=1", "a=1", "graph:g=1", "graph:h=1", "graph:g=1", "graph:h=1"});
  EXPECT_THAT(ways(), ElementsAre("a", "g", "a, pass 0", "h", "a, pass 1", "g, pass 1", "h, pass 1",
                                  "g, pass 0", "h, pass 0"));
}

TEST_F(PassesTest, AGraphIsNeverReplayed) {
  const auto all = points(Words(3, "graph:g=20"), {}, ReplayUse::always);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_THAT(ways(), Each("g"));
}

// The fake's kernels begin at 1000 ns; the trace ends at 1050.
TEST_F(PassesTest, AKernelThatRanByTheTraceWhileNoneDidHasNoTime) {
  const auto all = points(Words(5, "a=100"), {{"FAKE_TIMESTAMP", "1050"}});
  EXPECT_EQ(all.at(0).program->launches, 5);
  EXPECT_DOUBLE_EQ(all.at(0).program->total.value, 5e-9) << "as long as a counted one";
  EXPECT_DOUBLE_EQ(points(Words(5, "a=40"), {{"FAKE_TIMESTAMP", "1050"}}).at(0).program->total.value, 200e-9);
}

TEST_F(PassesTest, AStretchEndsBeforeACapture) {
  points({"a=1", "a=1", "capture", "b=1", "end-capture", "a=1"});
  EXPECT_THAT(ways(), ElementsAre("a", "a, pass 0", "b", "a, pass 1"));
}

TEST_F(PassesTest, AStretchEndsBeforeCodeChanges) {
  points({"a=1", "a=1", "unload", "a=1", "a=1"});
  EXPECT_THAT(ways(), ElementsAre("a", "a, pass 0", "a", "a, pass 1"));
}

TEST_F(PassesTest, ThreadsThatUnloadCodeBesideLaunchesEnd) {
  Words words = {"threads=4"};
  for (int round = 0; round < 20; ++round) {
    words.insert(words.end(), {"a=5", "unload", "b=5"});
  }
  for (const Point& point : points(words)) {
    EXPECT_EQ(point.program->launches, 80) << point.kernel;
  }
  EXPECT_EQ(status_, 0);
}

TEST_F(PassesTest, AKernelLaunchedTooSeldomIsToldAsIncompleteAndHasATime) {
  const auto all = points({"a=100", "a=100"}, around_a_launch("1000"));
  EXPECT_FALSE(all.at(0).counters);
  EXPECT_EQ(all.at(0).evidence(), Evidence::timed);
  EXPECT_DOUBLE_EQ(all.at(0).program->total.value, 200e-9) << "each as long as the traced one";
  EXPECT_THAT(all.at(0).notes, Contains(HasSubstr("Incomplete: 1 of its launches was counted")));
}

// The one that was traced, the first, found cold caches.
TEST_F(PassesTest, NoLaunchTakesLongerThanWhatIsMeasuredAroundIt) {
  const auto all = points({"a=100", "a=60", "a=60"}, around_a_launch("70"));
  EXPECT_DOUBLE_EQ(all.at(0).program->total.value, 100e-9 + 2 * 70e-9);
}

TEST_F(PassesTest, SeldomReplaysUntilTheProgramRepeatsItself) {
  const auto all = points({"a=9", "b=9", "a=9", "a=9", "a=9", "a=9", "a=9", "c=9"}, {}, ReplayUse::seldom);
  EXPECT_THAT(ways(), ElementsAre("a, replayed", "b, replayed", "a", "a", "a, pass 0", "a, pass 1", "a", "c"));
  EXPECT_TRUE(all.at(0).program->without_replay);
  EXPECT_FALSE(all.at(1).program->without_replay);
  EXPECT_TRUE(all.at(1).counters) << "by replay";
  EXPECT_THAT(facilities(),
              Contains(testing::Field(&Facility::sentence, HasSubstr("a kernel was launched 4 times"))));
}

TEST_F(PassesTest, WhereTheMemoryIsFullSeldomReplaysNothingAndAlwaysDoes) {
  const std::map<std::string, std::string> full = {{"FAKE_FREE_MEMORY", "1000000000"}};
  points({"a=9", "a=9", "a=9"}, full, ReplayUse::seldom);
  EXPECT_THAT(ways(), ElementsAre("a", "a, pass 0", "a, pass 1"));
  points({"a=9", "a=9"}, full, ReplayUse::always);
  EXPECT_THAT(ways(), Contains("a, replayed"));
}

TEST_F(PassesTest, NeverAndAlwaysAreKept) {
  const Words words(9, "a=9");
  points(words);
  EXPECT_THAT(ways(), Each(Not(HasSubstr("replayed"))));
  points(words, {}, ReplayUse::always);
  EXPECT_THAT(ways(), Each(Not(HasSubstr("pass"))));
  EXPECT_EQ(std::ranges::count(ways(), "a, replayed"), 1);
}

TEST_F(PassesTest, EveryFailureOfCuptiLeavesTheProgramAloneAndIsTold) {
  for (const char* call :
       {"cuptiProfilerInitialize", "cuptiDeviceGetChipName", "cuptiProfilerHostInitialize",
        "cuptiProfilerHostConfigAddMetrics", "cuptiProfilerHostGetConfigImageSize",
        "cuptiProfilerHostGetConfigImage", "cuptiProfilerHostGetNumOfPasses",
        "cuptiProfilerHostEvaluateToGpuValues", "cuptiRangeProfilerEnable", "cuptiRangeProfilerSetConfig",
        "cuptiRangeProfilerStart", "cuptiRangeProfilerStop", "cuptiRangeProfilerPushRange",
        "cuptiRangeProfilerPopRange", "cuptiRangeProfilerDecodeData", "cuptiRangeProfilerGetCounterDataSize",
        "cuptiRangeProfilerCounterDataImageInitialize"}) {
    Words words(20, "a=100");
    words.push_back("exit=4");
    const auto all = points(words, {{"FAKE_CUPTI", std::string(call) + "=999"}});
    EXPECT_EQ(status_, 4) << call;
    EXPECT_FALSE(all.at(0).counters) << call;
    EXPECT_EQ(all.at(0).program->launches, 20) << call;
    EXPECT_THAT(facilities(), Contains(testing::AllOf(testing::Field(&Facility::state, Facility::State::failed),
                                                      testing::Field(&Facility::detail, HasSubstr(call)))))
        << call;
  }
}

TEST_F(PassesTest, AGpuThatIsNeverIdleIsAskedThreeTimes) {
  const auto all = points(Words(20, "a=100"), {{"FAKE_DRIVER", "cuCtxRecordEvent=900"}});
  EXPECT_THAT(ways(), Each("a"));
  EXPECT_THAT(facilities(), Contains(testing::Field(&Facility::detail, HasSubstr("still busy"))));
}

TEST_F(PassesTest, ACounterThatIsNoNumberIsLeftOutAlone) {
  for (const ReplayUse replay : {ReplayUse::never, ReplayUse::always}) {
    const auto all = points(Words(4, "a=9"), {{"FAKE_METRICS", "lts__t_bytes.sum=nan"}}, replay);
    ASSERT_TRUE(all.at(0).counters);
    EXPECT_FALSE(all.at(0).counters->l2);
    EXPECT_EQ(all.at(0).counters->l1, Bytes{1});
  }
}

TEST_F(PassesTest, AKernelIsCountedAsManyTimesOverAsIsAskedFor) {
  ProfileOptions options;
  options.times = 3;
  for (const ReplayUse replay : {ReplayUse::never, ReplayUse::always}) {
    options.replay = replay;
    const auto logs = records(Words(9, "a=5"), options);
    const std::size_t launches = replay == ReplayUse::never ? 6 : 3;
    EXPECT_EQ(std::ranges::count(ways(), "a"), 9 - launches);
    const Counters& counters = logs.at(0).points.front().counters.value();
    EXPECT_EQ(counters.rounds, 3);
    EXPECT_EQ(counters.l1, Bytes{1});
    EXPECT_EQ(counters.spread.at("l1_bytes"), 0);
  }
}

TEST_F(PassesTest, OneLaunchInSoManyIsCountedAgainAndAgain) {
  ProfileOptions options;
  options.replay = ReplayUse::never;
  options.every = 2;
  records(Words(9, "a=5"), options);
  EXPECT_THAT(ways(), ElementsAre("a", "a", "a, pass 0", "a", "a, pass 1", "a", "a, pass 0", "a", "a, pass 1"));
}

TEST_F(PassesTest, SeveralThreadsAreCountedAsOne) {
  Words words = {"threads=4"};
  for (int round = 0; round < 6; ++round) {
    words.insert(words.end(), {"a=5", "b=5", "c=5"});
  }
  for (const ReplayUse replay : {ReplayUse::never, ReplayUse::seldom}) {
    for (const Point& point : points(words, {}, replay)) {
      EXPECT_TRUE(point.counters) << point.kernel;
      EXPECT_EQ(point.program->launches, 24) << point.kernel;
    }
  }
}

TEST_F(PassesTest, ReplaysGoOnWithSeveralThreads) {
  const auto all = points({"threads=4", "a=5", "b=5"}, {}, ReplayUse::always);
  EXPECT_EQ(status_, 0);
  for (const Point& point : all) {
    EXPECT_TRUE(point.counters) << point.kernel;
    EXPECT_EQ(point.program->launches, 4) << point.kernel;
  }
}

TEST_F(PassesTest, WhatIsCompleteIsRecordedBeforeAProgramIsKilled) {
  const auto all = points({"a=5", "a=5", "a=5", "a=5", "abort"});
  EXPECT_EQ(status_, 134);
  EXPECT_TRUE(all.at(0).counters);
}

}  // namespace
}  // namespace rooftile::inject
