#include "kernels/worker/count/pc_sampling.hpp"

#include <gmock/gmock.h>

#include "kernels/worker/fakes/fake_counters.hpp"

namespace rooftile::worker {
namespace {

TEST(PcSampling, TakesAboutAHundredThousandSamplesOfAnyLaunch) {
  const Hertz clock{1.98e9};
  const int sms = 132;
  EXPECT_EQ(sampling_exponent(Seconds{1e-6}, clock, sms), 8);
  int last = 0;
  for (const double seconds : {1e-4, 1e-3, 1e-2, 0.1}) {
    const int exponent = sampling_exponent(Seconds{seconds}, clock, sms);
    const double samples = seconds * clock.value * sms / (1 << exponent);
    EXPECT_LE(samples, 1e5) << seconds;
    EXPECT_GT(samples, 0.4e5) << seconds;
    EXPECT_GT(exponent, last);
    last = exponent;
  }
  EXPECT_EQ(sampling_exponent(Seconds{1e6}, clock, sms), 20);
}

TEST(PcSampling, NamesReasonsShortlyAndCountsEachWaitOnce) {
  EXPECT_EQ(stall_reason("smsp__pcsamp_warps_issue_stalled_long_scoreboard"), "long_scoreboard");
  EXPECT_EQ(stall_reason("smsp__pcsamp_warps_issue_stalled_long_scoreboard_not_issued"), "");
  EXPECT_EQ(stall_reason("smsp__pcsamp_warps_issue_stalled_selected"), "selected");
  EXPECT_EQ(stall_reason("something_new"), "something_new");
}

class PcSamplingTest : public FakeCuptiTest {
 protected:
  Samples sampled() {
    PcSampling sampling(cupti_, device_, 12);
    return sampling.of(fake_cubin, [] {});
  }
};

TEST_F(PcSamplingTest, GivesTheReasonsOfEachInstructionWithoutThoseThatCountTwice) {
  sample({{16, {5, 3, 2}}, {32, {0, 0, 9}}, {48, {1, 1, 1}, other_cubin}});
  const Samples samples = sampled();
  ASSERT_EQ(samples.instructions.size(), 2u) << "of this cubin alone";
  EXPECT_EQ(samples.instructions[0].offset, 16u);
  EXPECT_THAT(samples.instructions[0].counts.stalls,
              testing::ElementsAre(testing::Pair("barrier", 2), testing::Pair("wait", 5)));
  EXPECT_THAT(samples.instructions[1].counts.stalls, testing::ElementsAre(testing::Pair("barrier", 9)));
}

TEST_F(PcSamplingTest, AsksUntilNothingIsLeft) {
  sample({{0, {1}}, {16, {1}}, {32, {1}}, {48, {1}}, {64, {1}}});
  fake_counters().sampled_at_once = 2;
  fake_counters().dropped = 10;
  const Samples samples = sampled();
  EXPECT_EQ(samples.instructions.size(), 5u);
  EXPECT_EQ(samples.dropped, 30) << "ten with each of three answers";
}

TEST_F(PcSamplingTest, TakesThePeriodThatWasAskedFor) {
  sample({});
  cupti_.cuptiPCSamplingSetConfigurationAttribute = fake_period;
  EXPECT_TRUE(sampled().instructions.empty());
  EXPECT_EQ(fake_counters().period, 12);
}

TEST_F(PcSamplingTest, IsSwitchedOffOnceWhateverHappens) {
  const struct {
    const char* call;
    std::size_t switched_off;
  } rows[] = {
      {"cuptiPCSamplingEnable", 0},
      {"cuptiPCSamplingSetConfigurationAttribute", 1},
      {"cuptiPCSamplingStart", 1},
      {"cuptiPCSamplingStop", 1},
  };
  for (const auto& row : rows) {
    sample({{0, {1}}});
    fake_counters().calls.clear();
    refuses(row.call, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
    EXPECT_THAT([&] { sampled(); },
                testing::ThrowsMessage<CuptiError>(testing::HasSubstr(std::string(row.call) + " failed")));
    EXPECT_EQ(fake_counters().calls.size(), row.switched_off) << row.call;
  }
}

}  // namespace
}  // namespace rooftile::worker
