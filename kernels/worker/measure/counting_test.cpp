#include "kernels/worker/measure/counting.hpp"

#include <gmock/gmock.h>

#include <filesystem>

#include "kernels/worker/count/counters_refused.hpp"
#include "kernels/worker/fakes/fake_counters.hpp"

namespace rooftile::worker {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

using State = Facility::State;

TEST(CountersRefused, EveryRefusalIsAStateWithASentenceAndAFix) {
  const struct {
    CUptiResult code;
    State state;
    const char* sentence;
    const char* fix;
  } rows[] = {
      {CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, State::refused, "not permitted for this user",
       "NVreg_RestrictProfilingToAdminUsers=0"},
      {CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES, State::refused, "virtual GPU", "vGPU"},
      {CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED, State::refused, "virtual GPU", "vGPU"},
      {CUPTI_ERROR_HARDWARE_BUSY, State::busy, "Another profiler", "dcgmi profile --pause"},
      {CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, State::busy, "Another profiler", "Nsight Compute"},
      {CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED, State::refused, "MIG", "whole GPU"},
      {CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED, State::refused, "WSL", "Windows driver"},
      {CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED, State::refused, "confidential", "ordinary mode"},
      {CUPTI_ERROR_UNKNOWN, State::failed, "failed", "without counters"},
      {CUPTI_ERROR_INVALID_PARAMETER, State::failed, "failed", "without counters"},
  };
  for (const auto& row : rows) {
    const Facility facility = counters_refused(row.code, "cuptiSomething failed");
    EXPECT_EQ(facility.name, "counters") << row.code;
    EXPECT_EQ(facility.state, row.state) << row.code;
    EXPECT_THAT(facility.sentence, HasSubstr(row.sentence)) << row.code;
    EXPECT_THAT(facility.sentence, EndsWith(".")) << row.code;
    EXPECT_THAT(facility.fix, HasSubstr(row.fix)) << row.code;
    EXPECT_THAT(facility.fix, EndsWith(".")) << row.code;
    EXPECT_EQ(facility.detail, "cuptiSomething failed") << row.code;
  }
}

class CountingTest : public FakeCuptiTest {
 protected:
  CountingTest() { note_the_session(); }

  static std::vector<CountedRun> runs(std::size_t count = 1) {
    return std::vector<CountedRun>(count, {[] {}, [] { fake_note("launch"); }});
  }
  static std::ptrdiff_t times(const std::string& call) {
    return std::ranges::count(fake_counters().calls, call);
  }
};

TEST_F(CountingTest, AReadyOneSaysWhatItGathersOnWhichChip) {
  const Counting counting(device_, cupti_);
  EXPECT_EQ(counting.chip(), "GH100");
  EXPECT_EQ(counting.profiler().state, State::ready);
  EXPECT_THAT(counting.profiler().detail, HasSubstr("libcupti.so.13, version "));
  EXPECT_EQ(counting.counters().state, State::ready);
  EXPECT_THAT(counting.counters().sentence, HasSubstr(" counters of the GH100 are gathered in 2 passes."));
  EXPECT_TRUE(counting.session()->armed());
}

TEST_F(CountingTest, WhatIsMissingAtTheStartIsAStateAndNoError) {
  const struct {
    const char* call;
    CUptiResult error;
    State state;
  } rows[] = {
      {"cuptiProfilerInitialize", CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED, State::refused},
      {"cuptiDeviceGetChipName", CUPTI_ERROR_UNKNOWN, State::failed},
      {"cuptiProfilerHostGetSupportedChips", CUPTI_ERROR_UNKNOWN, State::failed},
      {"cuptiProfilerHostInitialize", CUPTI_ERROR_UNKNOWN, State::failed},
      {"cuptiProfilerHostConfigAddMetrics", CUPTI_ERROR_INVALID_METRIC_NAME, State::failed},
      {"cuptiProfilerHostGetConfigImage", CUPTI_ERROR_UNKNOWN, State::failed},
  };
  for (const auto& row : rows) {
    refuses(row.call, row.error);
    Counting counting(device_, cupti_);
    EXPECT_EQ(counting.counters().state, row.state) << row.call;
    EXPECT_THAT(counting.counters().detail, HasSubstr(row.call));
    EXPECT_FALSE(counting.ready()) << row.call;
    EXPECT_TRUE(counting.count({}, runs()).empty()) << row.call;
    EXPECT_EQ(times("launch"), 0) << row.call;
  }
}

TEST_F(CountingTest, WhileAnotherProfilerIsAtWorkItIsTriedAgain) {
  refuses("cuptiRangeProfilerStart", CUPTI_ERROR_HARDWARE_BUSY);
  Counting counting(device_, cupti_);
  EXPECT_EQ(counting.counters().state, State::busy);
  EXPECT_TRUE(counting.count({}, runs()).empty());
  unsetenv("FAKE_CUPTI");
  EXPECT_EQ(counting.count({}, runs()).size(), 1u);
  EXPECT_EQ(counting.counters().state, State::ready);
}

TEST_F(CountingTest, OtherCountersTakeASessionOfTheirOwnAndTheSameOnesDoNot) {
  Counting counting(device_, cupti_);
  const struct {
    CounterNeeds needs;
    std::ptrdiff_t opened;  // so far
  } rows[] = {
      {{}, 1},
      {{}, 1},
      {{fp64_pipe}, 1},
      {{bf16_tensor_pipe}, 2},
      {{bf16_tensor_pipe}, 2},
      {{bf16_tensor_pipe, true}, 3},
      {{fp32_pipe, false, true}, 4},
      {{}, 5},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(counting.count(row.needs, runs()).size(), 1u);
    EXPECT_EQ(times("enabled"), row.opened) << row.needs.pipe;
  }
}

TEST_F(CountingTest, ACounterThatCameBackEmptyIsNamedAndTheNextLaunchIsCounted) {
  Counting counting(device_, cupti_);
  fake_counters().values = {{"lts__t_bytes.sum", std::nan("")}};
  EXPECT_TRUE(counting.count({}, runs()).empty());
  EXPECT_THAT(counting.counters().sentence, HasSubstr("The counter lts__t_bytes.sum came back empty"));
  fake_counters().values = {{"lts__t_bytes.sum", 5}};
  EXPECT_EQ(counting.count({}, runs()).at(0).l2, Bytes{5});
}

TEST_F(CountingTest, ArmsAheadAndGivesBackWhenItRests) {
  Counting counting(device_, cupti_);
  counting.count({}, runs());
  EXPECT_FALSE(counting.session()->armed());
  counting.arm();
  counting.settle();
  EXPECT_TRUE(counting.session()->armed());
  counting.release();
  EXPECT_FALSE(counting.session()->armed());
  EXPECT_EQ(fake_counters().calls.back(), "released");
  EXPECT_TRUE(counting.ready()) << "armed again where it is needed";
}

TEST_F(CountingTest, DistrustedItCountsNothingAnyMore) {
  Counting counting(device_, cupti_);
  counting.distrust("2 were counted as 3");
  EXPECT_EQ(counting.counters().state, State::failed);
  EXPECT_EQ(counting.counters().detail, "2 were counted as 3");
  counting.arm();
  EXPECT_FALSE(counting.ready());
  EXPECT_TRUE(counting.count({}, runs()).empty());
  EXPECT_EQ(times("launch"), 0);
}

TEST_F(CountingTest, WhatIsCountedCanBeKeptInAFolder) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "rooftile_counting_test";
  std::filesystem::remove_all(folder);
  fake_counters().values = {{"lts__t_bytes.sum", 7}};
  Counting counting(device_, cupti_);
  counting.count({}, runs());
  EXPECT_FALSE(std::filesystem::exists(folder)) << "not asked for";
  counting.record_into(folder);
  counting.count({}, runs());
  counting.count({}, runs());
  counting.record_into("");
  counting.count({}, runs());
  for (const char* name : {"launch_1", "launch_2"}) {
    EXPECT_EQ(load_counter_recording(folder / name).values.at("lts__t_bytes.sum"), 7) << name;
  }
  EXPECT_THROW(load_counter_recording(folder / "launch_3"), Error);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace rooftile::worker
