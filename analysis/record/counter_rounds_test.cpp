#include "analysis/record/counter_rounds.hpp"

#include <gmock/gmock.h>

namespace rooftile {
namespace {

Counters counters(double ffma, double dram_read, std::optional<double> bf16 = {}) {
  Counters made;
  made.ffma = ffma;
  made.dram_read = Bytes{dram_read};
  made.passes = 9;
  if (bf16) {
    made.tensor_by_pipe = {{bf16_tensor_pipe, Flops{*bf16}}};
  }
  return made;
}

TEST(CounterRounds, EachCounterHasItsMedianAndItsSpread) {
  const Counters joined = joined_rounds({counters(100, 10, 8), counters(100, 40, 8), counters(100, 20, 6)});
  EXPECT_EQ(joined.rounds, 3);
  EXPECT_EQ(joined.passes, 9);
  EXPECT_EQ(joined.ffma, 100);
  EXPECT_EQ(joined.dram_read, Bytes{20});
  EXPECT_EQ(joined.tensor_by_pipe.at(bf16_tensor_pipe), Flops{8});
  EXPECT_EQ(joined.spread.at("ffma"), 0);
  EXPECT_EQ(joined.spread.at("dram_read_bytes"), 1.5);
  EXPECT_EQ(joined.spread.at(std::string("tensor_flops_by_pipe.") + bf16_tensor_pipe), 0.25);
  EXPECT_FALSE(joined.l2);
}

TEST(CounterRounds, OneRoundIsItselfAndHasNoSpread) {
  EXPECT_EQ(joined_rounds({counters(100, 10)}), counters(100, 10));
}

}  // namespace
}  // namespace rooftile
