#include "kernels/inject/count/replay_rule.hpp"

#include <gmock/gmock.h>

namespace rooftile::inject {
namespace {

using testing::HasSubstr;

TEST(ReplayRule, SeldomEndsWhereLaunchesRepeatOrReplaysAreDear) {
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
      {"had taken 3 s",
       [](ReplayRule& rule) {
         rule.replayed({2});
         rule.replayed({2});
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

TEST(ReplayRule, WhatEndedReplaysFirstIsTheReason) {
  ReplayRule rule(ReplayUse::seldom);
  rule.replayed({11});
  rule.sees_memory(1, 80e9);
  EXPECT_THAT(rule.reason(), HasSubstr("3 s"));
}

}  // namespace
}  // namespace rooftile::inject
