#include "kernels/inject/count/replay_rule.hpp"

#include <gmock/gmock.h>

namespace rooftile::inject {
namespace {

using testing::HasSubstr;

TEST(ReplayRule, SeldomEndsWhereLaunchesRepeatOrMemoryIsUsed) {
  const struct {
    const char* reason;
    void (*happens)(ReplayRule&);
  } rows[] = {
      {"launched 4 times",
       [](ReplayRule& rule) {
         for (int launch = 0; launch < 4; ++launch) {
           rule.launched(7);
         }
       }},
      {"half of the GPU's memory", [](ReplayRule& rule) { rule.sees_memory(39e9, 80e9); }},
  };
  for (const auto& row : rows) {
    ReplayRule seldom(ReplayUse::seldom), always(ReplayUse::always), never(ReplayUse::never);
    EXPECT_TRUE(seldom.allows());
    for (ReplayRule* rule : {&seldom, &always, &never}) {
      row.happens(*rule);
    }
    EXPECT_THAT(seldom.reason(), HasSubstr(row.reason));
    EXPECT_TRUE(always.allows()) << row.reason;
    EXPECT_EQ(never.reason(), "--replay never");
    EXPECT_FALSE(seldom.is_open() || always.is_open() || never.is_open());
  }
}

TEST(ReplayRule, ManyKernelsLaunchedSeldomAreReplayedWhileThatIsCheap) {
  ReplayRule rule(ReplayUse::seldom);
  for (std::size_t group = 0; group < 100; ++group) {
    rule.launched(group);
    rule.replayed({0.009});
  }
  rule.sees_memory(60e9, 80e9);
  EXPECT_TRUE(rule.allows());
}

TEST(ReplayRule, ReplaysTakeASecondOrATenthOfTheTime) {
  const struct {
    Seconds each, running;
    int replays;
  } rows[] = {{{0.25}, {0}, 4}, {{0.25}, {10}, 4}, {{0.25}, {20}, 8},
              {{4}, {0}, 1},    {{4}, {79}, 1},    {{4}, {81}, 2}};
  for (const auto& row : rows) {
    ReplayRule seldom(ReplayUse::seldom), always(ReplayUse::always);
    int replays = 0;
    for (; seldom.affords_another(row.running); ++replays) {
      seldom.replayed(row.each);
      always.replayed(row.each);
    }
    EXPECT_EQ(replays, row.replays) << row.each.value << " s each after " << row.running.value << " s";
    EXPECT_TRUE(always.affords_another(row.running));
  }
}

TEST(ReplayRule, WhatEndedReplaysFirstIsTheReason) {
  ReplayRule rule(ReplayUse::seldom);
  rule.sees_memory(1, 80e9);
  for (int launch = 0; launch < 4; ++launch) {
    rule.launched(7);
  }
  EXPECT_THAT(rule.reason(), HasSubstr("memory"));
}

}  // namespace
}  // namespace rooftile::inject
