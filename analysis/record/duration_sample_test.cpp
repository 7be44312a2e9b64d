#include "analysis/record/duration_sample.hpp"

#include <gtest/gtest.h>

namespace rooftile {
namespace {

DurationSample of(std::initializer_list<double> seconds) {
  DurationSample sample;
  for (const double each : seconds) {
    sample.add({each});
  }
  return sample;
}

TEST(DurationSample, TellsMedianExtremesAndTotal) {
  const DurationSample sample = of({5, 1, 3, 2, 4});
  EXPECT_EQ(sample.count(), 5u);
  EXPECT_EQ(sample.total(), Seconds{15});
  EXPECT_EQ(sample.timing(), (Timing{{3}, {1}, {5}, 5, {}, {}}));
}

TEST(DurationSample, OneLaunchIsItsOwnMedian) {
  EXPECT_EQ(of({7}).timing(), (Timing{{7}, {7}, {7}, 1, {}, {}}));
}

TEST(DurationSample, LaunchesThatDoOtherWorkAreSetAside) {
  const DurationSample sample = of({10, 11, 30, 31, 32, 12});
  EXPECT_EQ(sample.timing_like({11}), (Timing{{11}, {10}, {12}, 3, 3, {}}));
  EXPECT_EQ(sample.timing_like({29}), (Timing{{31}, {30}, {32}, 3, 3, {}}));
  EXPECT_EQ(of({10, 11}).timing_like({10}), of({10, 11}).timing()) << "like all";
}

// Counters by a time that another amount of work took would be no rate of anything.
TEST(DurationSample, ACountedLaunchLikeNoOtherHasItsOwnTimeUnlessCountingMayHaveProlongedIt) {
  const DurationSample sample = of({30e-6, 31e-6, 32e-6});
  EXPECT_EQ(sample.timing_like({90e-6}), (Timing{{90e-6}, {90e-6}, {90e-6}, 1, 3, {}}));
  const DurationSample briefer = of({3e-6, 4e-6});
  EXPECT_EQ(briefer.timing_like({9e-6}), briefer.timing());
}

TEST(DurationSample, OfMoreThanItKeepsTheMedianIsNearAndTheRestExact) {
  DurationSample sample(256);
  for (int i = 1; i <= 100'000; ++i) {
    sample.add({1.0 * i});
  }
  const Timing timing = sample.timing();
  EXPECT_EQ(timing.launches, 100'000);
  EXPECT_EQ(timing.fastest, Seconds{1});
  EXPECT_EQ(timing.slowest, Seconds{100'000});
  EXPECT_EQ(sample.total(), Seconds{5'000'050'000});
  EXPECT_NEAR(timing.median.value, 50'000, 10'000);
}

}  // namespace
}  // namespace rooftile
