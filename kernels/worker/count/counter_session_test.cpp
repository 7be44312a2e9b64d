// The order in which CUPTI is asked, on a fake of it.
#include "kernels/worker/count/counter_session.hpp"

#include <gmock/gmock.h>

#include "kernels/worker/fakes/fake_counters.hpp"

namespace rooftile::worker {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Calls = std::vector<std::string>;

class CounterSessionTest : public FakeCuptiTest {
 protected:
  CounterSessionTest() { note_the_session(); }

  // Notes its parts beside CUPTI's calls.
  static CountedRun run(const std::string& name) {
    return {[name] { fake_note("prepare " + name); }, [name] { fake_note("launch " + name); }};
  }
  static Calls& calls() { return fake_counters().calls; }

  const CounterConfig config_{cupti_, "GH100", {}};
  CounterSession session_{cupti_, device_, config_};
};

TEST_F(CounterSessionTest, PreparesEachLaunchOutsideItsRange) {
  session_.count({run("a")});
  EXPECT_THAT(calls(), ElementsAre("enabled", "prepare a", "range 0", "launch a", "stopped"));
  EXPECT_FALSE(session_.armed()) << "until it is armed for the next ones";
}

TEST_F(CounterSessionTest, LaunchesOnceForEachPass) {
  fake_counters().passes = 3;
  session_.count({run("a"), run("b")});
  EXPECT_EQ(std::ranges::count(calls(), "launch a"), 3);
  EXPECT_EQ(std::ranges::count(calls(), "launch b"), 3);
  EXPECT_EQ(std::ranges::count(calls(), "stopped"), 3);
  EXPECT_EQ(std::ranges::count(calls(), "enabled"), 1);
}

// Asked about the passes of work and bytes alone, in between.
CUptiResult three_passes_but_two_of_place(CUpti_Profiler_Host_GetNumOfPasses_Params* params) {
  static int asked = 0;
  params->numOfPasses = asked++ % 5 == 2 ? 2 : 3;
  return CUPTI_SUCCESS;
}

TEST_F(CounterSessionTest, ThePlaceOfASingleLaunchIsToldBeforeTheLastPasses) {
  fake_counters().passes = 3;
  fake_counters().values = {{"lts__t_bytes.sum", 100}};
  cupti_.cuptiProfilerHostGetNumOfPasses = three_passes_but_two_of_place;
  const CounterConfig config(cupti_, "GH100", {});
  CounterSession session(cupti_, device_, config);
  const auto place = [](const Counters& counters) {
    EXPECT_EQ(counters.l2, Bytes{100});
    EXPECT_EQ(counters.passes, 2);
    fake_note("place");
  };
  session.count({run("a")}, place);
  const Calls pass = {"prepare a", "range 0", "launch a", "stopped"};
  Calls expected = {"enabled"};
  expected.insert(expected.end(), pass.begin(), pass.end());
  expected.insert(expected.end(), pass.begin(), pass.end());
  expected.emplace_back("place");
  expected.insert(expected.end(), pass.begin(), pass.end());
  EXPECT_EQ(calls(), expected);
  session.count({run("a"), run("b")}, place);
  EXPECT_EQ(std::ranges::count(calls(), "place"), 1) << "several are told together";
}

TEST_F(CounterSessionTest, EachLaunchHasARangeAndValuesOfItsOwn) {
  fake_counters().values = {{"lts__t_bytes.sum", 100}};
  const auto counters = session_.count({run("a"), run("b"), run("c")});
  ASSERT_EQ(counters.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(counters[i].l2, Bytes{100.0 + static_cast<double>(i)});
    EXPECT_EQ(std::ranges::count(calls(), "range " + std::to_string(i)), 1);
  }
}

TEST_F(CounterSessionTest, OpensOnceForOneAndOnceForMany) {
  const struct {
    std::size_t runs;
    int opened;  // so far
  } rows[] = {{1, 1}, {1, 1}, {2, 2}, {most_counted_together, 2}, {1, 2}};
  for (const auto& row : rows) {
    session_.count(std::vector<CountedRun>(row.runs, run("a")));
    EXPECT_EQ(std::ranges::count(calls(), "enabled"), row.opened) << row.runs;
  }
}

TEST_F(CounterSessionTest, ArmedTwiceIsArmedOnce) {
  session_.arm();
  session_.arm();
  EXPECT_TRUE(session_.armed());
  EXPECT_THAT(calls(), ElementsAre("enabled"));
}

TEST_F(CounterSessionTest, ReleasedItFinishesThePassThatWaitsAndGivesTheHardwareBack) {
  session_.release();
  EXPECT_THAT(calls(), IsEmpty()) << "it holds nothing yet";
  session_.arm();
  session_.release();
  session_.release();
  EXPECT_THAT(calls(), ElementsAre("enabled", "range 0", "stopped", "released"));
  EXPECT_FALSE(session_.armed());
}

TEST_F(CounterSessionTest, ALaunchThatThrowsReleasesTheSessionAndTheNextIsCounted) {
  const CountedRun broken{[] {}, [] { throw Error("the launch failed"); }};
  EXPECT_THROW(session_.count({run("a"), broken}), Error);
  EXPECT_EQ(calls().back(), "released");
  calls().clear();
  EXPECT_EQ(session_.count({run("a")}).size(), 1u);
  EXPECT_EQ(calls().front(), "enabled");
}

TEST_F(CounterSessionTest, ARefusalLeavesNothingArmed) {
  for (const char* call :
       {"cuptiRangeProfilerStart", "cuptiRangeProfilerSetConfig", "cuptiRangeProfilerGetCounterDataSize",
        "cuptiRangeProfilerCounterDataImageInitialize"}) {
    CounterSession session(cupti_, device_, config_);
    refuses(call, CUPTI_ERROR_HARDWARE_BUSY);
    EXPECT_THROW(session.arm(), CuptiError) << call;
    EXPECT_FALSE(session.armed()) << call;
    unsetenv("FAKE_CUPTI");
    EXPECT_NO_THROW(session.arm()) << call;
    EXPECT_TRUE(session.armed()) << call;
  }
}

TEST_F(CounterSessionTest, ARecordingHoldsTheFirstLaunch) {
  fake_counters().values = {{"lts__t_bytes.sum", 100}};
  session_.count({run("a"), run("b")});
  const CounterRecording recording = session_.recording();
  EXPECT_EQ(recording.chip, "GH100");
  EXPECT_EQ(recording.values.at("lts__t_bytes.sum"), 100);
  EXPECT_EQ(recording.values.size(), config_.names().size());
  EXPECT_EQ(session_.evaluate("lts__t_bytes.sum"), 100);
}

}  // namespace
}  // namespace rooftile::worker
