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
      {"had taken 1 s",
       [](ReplayRule& rule) {
         rule.replayed({0.6});
         rule.replayed({0.6});
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

TEST(ReplayRule, WhatRepeatsIsReplayedWhereSeveralThreadsLaunch) {
  ReplayRule seldom(ReplayUse::seldom), dear(ReplayUse::seldom), full(ReplayUse::seldom),
      never(ReplayUse::never);
  dear.replayed({1.5});
  full.sees_memory(1, 80e9);
  for (ReplayRule* rule : {&seldom, &dear, &full, &never}) {
    for (int launch = 0; launch < 4; ++launch) {
      rule->launched(7);
    }
    EXPECT_FALSE(rule->allows());
    rule->sees_several_threads();
    for (int launch = 0; launch < 4; ++launch) {
      rule->launched(7);
    }
  }
  EXPECT_TRUE(dear.allows());
  EXPECT_FALSE(full.allows() || never.allows());
  seldom.replayed({4.5});
  EXPECT_TRUE(seldom.allows());
  seldom.replayed({0.6});
  EXPECT_THAT(seldom.reason(), HasSubstr("5 s"));
}

TEST(ReplayRule, WhatEndedReplaysFirstIsTheReason) {
  ReplayRule rule(ReplayUse::seldom);
  rule.replayed({2});
  rule.sees_memory(1, 80e9);
  EXPECT_THAT(rule.reason(), HasSubstr("1 s"));
}

}  // namespace
}  // namespace rooftile::inject
