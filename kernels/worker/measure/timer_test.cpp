#include "kernels/worker/measure/timer.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace rooftile::worker {
namespace {

Timing disturbed(double share) {
  return {{1e-3}, {1e-3}, {1e-3 * (1 + share)}, 3};
}

Seconds us(double value) {
  return {1e-6 * value};
}

TEST(Timer, WhatEventsTakeByThemselvesIsTakenOff) {
  const Timing timing = timing_of({{us(12), us(1.5)}, {us(11), us(90)}, {us(14), us(1)}});
  EXPECT_NEAR(timing.fastest.value, 10e-6, 1e-12);
  EXPECT_NEAR(timing.median.value, 11e-6, 1e-12);
  EXPECT_NEAR(timing.slowest.value, 13e-6, 1e-12);
  EXPECT_NEAR(timing.events->value, 1e-6, 1e-12);  // nobody interrupted that pair
  EXPECT_EQ(timing.launches, 3);
}

TEST(Timer, InterruptedEventsGiveAnUnsteadyTimeAndNoNegativeOne) {
  const Timing timing = timing_of({{us(12), us(1700)}, {us(11), us(1700)}, {us(14), us(1700)}});
  EXPECT_GE(timing.fastest.value, 0);
  EXPECT_GT(timing.median.value, 0);
  EXPECT_FALSE(timing.steady());
}

TEST(Timer, LaunchesAgainUntilARoundIsSteady) {
  const struct {
    std::vector<double> spreads;  // of the rounds there would be
    int most_rounds;
    double kept;
    std::optional<int> set_aside;
  } rows[] = {
      {{0.01}, 4, 0.01, std::nullopt},         // nothing happened
      {{0.85, 0.02}, 4, 0.02, 3},              // one interrupted round
      {{0.85, 0.40, 0.50, 0.60}, 4, 0.40, 9},  // never steady: the best of them
      {{0.85}, 1, 0.85, std::nullopt},         // too long to try again
      {{0.85, 0.90, 0.03, 0.01}, 4, 0.03, 6},  // steady is enough
  };
  for (const auto& row : rows) {
    std::size_t next = 0;
    const Timing timing = steadiest(row.most_rounds, [&] { return disturbed(row.spreads.at(next++)); });
    EXPECT_NEAR(timing.spread(), row.kept, 1e-9);
    EXPECT_EQ(timing.launches, 3);
    EXPECT_EQ(timing.set_aside, row.set_aside);
  }
}

TEST(Timer, ARoundWithLaunchLatencyIsFollowedByAnother) {
  std::vector<Timing> rounds = {disturbed(0.01), disturbed(0.02)};
  rounds.front().with_latency = 1;
  std::size_t next = 0;
  const Timing timing = steadiest(4, [&] { return rounds.at(next++); });
  EXPECT_EQ(timing.with_latency, std::nullopt);
  EXPECT_NEAR(timing.spread(), 0.02, 1e-9) << "though the first one was steadier";
  EXPECT_EQ(timing.set_aside, 3);
}

}  // namespace
}  // namespace rooftile::worker
