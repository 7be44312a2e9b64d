// A launch line by line, of a fake CUPTI: an instruction's line is a sixteenth of its offset.
#include "kernels/worker/measure/source_profiler.hpp"

#include <gmock/gmock.h>

#include "analysis/text/format.hpp"
#include "kernels/worker/fakes/fake_counters.hpp"

namespace rooftile::worker {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;
using testing::ThrowsMessage;

class SourceProfilerTest : public FakeCuptiTest {
 protected:
  SourceProfilerTest() {
    manifest_.entry = "mine";
    manifest_.source = "/sources/mine.cu";
    know_cubins_and_lines();
    sample({{32, {5, 0, 3}}, {48, {2, 0, 0}}});
    instrument({{32, {99, 3199}}, {64, {7}}});
  }

  SourceProfile profile(Seconds expected = {1e-3}, std::optional<Seconds> limit = {}) {
    Counting counting(device_, cupti_);
    SourceProfiler profiler(device_, counting);
    SourceProfile made;
    profiler.profile(made, {manifest_, cubin_, manifest_.entry, Launch{}, arguments_, expected, limit,
                            [&] { ++prepared_; }});
    return made;
  }
  std::string failure(Seconds expected = {1e-3}, std::optional<Seconds> limit = {}) {
    try {
      profile(expected, limit);
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  }

  Manifest manifest_;
  const std::string cubin_ = "cubin";
  Arguments arguments_;
  int prepared_ = 0;
};

std::vector<std::string> phase_names(const std::vector<Phase>& phases) {
  std::vector<std::string> names;
  for (const Phase& phase : phases) {
    names.push_back(phase.name);
  }
  return names;
}

TEST_F(SourceProfilerTest, BothHalvesMeetInTheirLines) {
  const SourceProfile made = profile();
  ASSERT_THAT(made.lines, SizeIs(3));
  EXPECT_EQ(made.lines[0].line, 2);
  EXPECT_EQ(made.lines[0].executed, 100);
  EXPECT_EQ(made.lines[0].thread_executed, 3200);
  EXPECT_THAT(made.lines[0].stalls, ElementsAre(testing::Pair("barrier", 3), testing::Pair("wait", 5)));
  EXPECT_EQ(made.lines[1].line, 3);
  EXPECT_EQ(made.lines[1].executed, std::nullopt) << "only seen waiting";
  EXPECT_EQ(made.lines[2].line, 4);
  EXPECT_EQ(made.lines[2].samples(), 0) << "never seen waiting";
  EXPECT_THAT(made.notes, IsEmpty());
  EXPECT_THAT(phase_names(made.phases), ElementsAre("sample", "instrument"));
}

TEST_F(SourceProfilerTest, EachOfItsTwoLaunchesIsPrepared) {
  fake_launches().clear();
  profile();
  EXPECT_EQ(prepared_, 2);
  EXPECT_THAT(fake_launches(), SizeIs(2));
}

TEST_F(SourceProfilerTest, ALongerLaunchIsSampledMoreRarely) {
  const int quick = profile({1e-6}).sampling_period, slow = profile({0.1}).sampling_period;
  EXPECT_EQ(quick, 1 << 8) << "the shortest period";
  EXPECT_GT(slow, quick);
}

TEST_F(SourceProfilerTest, DroppedSamplesAreTold) {
  fake_counters().dropped = 12;
  EXPECT_EQ(profile().dropped_samples, 12);
}

TEST_F(SourceProfilerTest, AHalfThatIsRefusedIsANoteAndTheOtherStays) {
  const struct {
    const char* call;
    CUptiResult error;
    const char* begin;
    const char* reason;
    std::size_t lines;
  } rows[] = {
      {"cuptiPCSamplingEnable", CUPTI_ERROR_INSUFFICIENT_PRIVILEGES,
       "Stalls were not sampled: ", "Counters are not permitted for this user.", 2},
      {"cuptiPCSamplingStart", CUPTI_ERROR_UNKNOWN,
       "Stalls were not sampled: ", "cuptiPCSamplingStart failed: CUPTI_ERROR_", 2},
      {"cuptiSassMetricsEnable", CUPTI_ERROR_HARDWARE_BUSY,
       "Instructions were not counted: ", "Another profiler holds the counters of this GPU.", 2},
      {"cuptiSassMetricsSetConfig", CUPTI_ERROR_OUT_OF_MEMORY,
       "Instructions were not counted: ", "cuptiSassMetricsSetConfig failed: CUPTI_ERROR_", 2},
  };
  for (const auto& row : rows) {
    fake_counters().taken = fake_counters().made = 0;
    refuses(row.call, row.error);
    const SourceProfile made = profile();
    EXPECT_THAT(made.notes, ElementsAre(AllOf(StartsWith(row.begin), HasSubstr(row.reason)))) << row.call;
    EXPECT_THAT(made.lines, SizeIs(row.lines)) << row.call;
  }
}

TEST_F(SourceProfilerTest, WithoutEitherHalfThereIsNoProfile) {
  sample({});
  refuses("cuptiSassMetricsEnable", CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED);
  EXPECT_THAT(failure(),
              StartsWith("Instructions were not counted: Counters are not available on this MIG partition."));
  unsetenv("FAKE_CUPTI");
  instrument({});
  EXPECT_EQ(failure(), "CUPTI gathered nothing of this launch.");
}

TEST_F(SourceProfilerTest, InstructionsOfAnotherKernelAreNotThisOnes) {
  sample({{32, {5}, other_cubin}});
  instrument({{32, {99}, other_cubin}});
  EXPECT_EQ(failure(), "CUPTI gathered nothing of this launch.");
}

TEST_F(SourceProfilerTest, ALaunchThatWouldTakeLongerThanItMayIsNotStarted) {
  const double cost = profile_cost({1}, closest_architecture(device_.gpu().cc)).about.value;
  const struct {
    std::optional<Seconds> limit;
    bool starts;
  } rows[] = {{{}, true}, {Seconds{2 * cost}, true}, {Seconds{cost}, false}, {Seconds{cost / 2}, false}};
  for (const auto& [limit, starts] : rows) {
    fake_launches().clear();
    const std::string why = failure({1}, limit);
    EXPECT_EQ(fake_launches().empty(), !starts);
    EXPECT_THAT(why, HasSubstr(starts ? "none" : text(*limit) + ". Choose a smaller size"));
  }
}

TEST_F(SourceProfilerTest, TheCountersAreGivenBackBeforeAnythingIsSampled) {
  note_the_session();
  profile();
  const auto& calls = fake_counters().calls;
  EXPECT_LT(std::ranges::find(calls, "released"), std::ranges::find(calls, "sampling disabled"));
  EXPECT_LT(std::ranges::find(calls, "sampling disabled"), std::ranges::find(calls, "metrics disabled"));
}

TEST_F(SourceProfilerTest, WithoutCuptiTheProfilersFacilitySaysWhatToDo) {
  Counting counting(Facility{"profiler", Facility::State::missing, "No CUPTI.", "Install it.", ""});
  SourceProfiler profiler(device_, counting);
  SourceProfile made;
  EXPECT_THAT(
      [&] {
        profiler.profile(made, {manifest_, cubin_, manifest_.entry, Launch{}, arguments_, {1e-3}, {}, [] {}});
      },
      ThrowsMessage<Error>(testing::StrEq("No CUPTI. Install it.")));
}

TEST(StartProfile, IsTheRequestAndNothingElse) {
  const SourceProfile made = start_profile({5, "mine", {{"TILE", 8}}, Caches::warm});
  EXPECT_EQ(made.id, 5u);
  EXPECT_EQ(made.kernel, "mine");
  EXPECT_EQ(made.parameters, (Parameters{{"TILE", 8}}));
  EXPECT_EQ(made.caches, Caches::warm);
  EXPECT_THAT(made.lines, IsEmpty());
  EXPECT_FALSE(made.failure);
}

}  // namespace
}  // namespace rooftile::worker
