#include "kernels/worker/count/pc_sampling.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace rooftile::worker
