#include "analysis/verdict/paired_ratio.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

std::vector<TimePair> rounds(const std::vector<double>& ratios) {
  std::vector<TimePair> all;
  for (const double ratio : ratios) {
    all.push_back({Seconds{2e-3}, Seconds{2e-3 * ratio}});
  }
  return all;
}

// The ends are the order statistics of the usual tables of the sign test: the 1st of 6, the 3rd of 12, the 6th
// of 20.
TEST(PairedRatio, ItsEndsAreOrderStatisticsOfTheSignTest) {
  struct Row {
    std::size_t rounds, at_low;
  };
  for (const auto& [n, at_low] : {Row{6, 1}, Row{8, 1}, Row{9, 2}, Row{12, 3}, Row{20, 6}, Row{25, 8}}) {
    std::vector<double> ratios;
    for (std::size_t i = 1; i <= n; ++i) {
      ratios.push_back(static_cast<double>(i));
    }
    const PairedRatio found = paired_ratio(rounds(ratios));
    EXPECT_DOUBLE_EQ(found.low, static_cast<double>(at_low)) << n;
    EXPECT_DOUBLE_EQ(found.high, static_cast<double>(n + 1 - at_low)) << n;
    EXPECT_DOUBLE_EQ(found.median, static_cast<double>(n + 1) / 2) << n;
  }
}

TEST(PairedRatio, OneRoundThatWasDisturbedChangesNothing) {
  std::vector<double> ratios(20, 1.01);
  ratios[7] = 9;
  const PairedRatio found = paired_ratio(rounds(ratios));
  EXPECT_TRUE(found.is_slower());
  EXPECT_FALSE(found.is_slower(0.02));
  EXPECT_FALSE(found.is_faster());
}

// 1,000 comparisons with a scatter of 1 %: of equals at most 5 % are told apart, of 3 % nearly all.
TEST(PairedRatio, EqualsAreSeldomToldApartAndThreePercentIsFound) {
  std::mt19937 random(7);
  std::normal_distribution<double> scatter(0, 0.01);
  const auto told_apart = [&](double truth) {
    int count = 0;
    for (int i = 0; i < 1000; ++i) {
      std::vector<double> ratios;
      for (int round = 0; round < 20; ++round) {
        ratios.push_back(truth * (1 + scatter(random)) / (1 + scatter(random)));
      }
      count += paired_ratio(rounds(ratios)).is_slower() || paired_ratio(rounds(ratios)).is_faster();
    }
    return count;
  };
  EXPECT_LE(told_apart(1), 60);
  EXPECT_GE(told_apart(1.03), 990);
}

TEST(PairedRatio, FewRoundsSayNothing) {
  EXPECT_THROW(paired_ratio(rounds({1, 1, 1, 1, 1})), Error);
}

}  // namespace
}  // namespace rooftile
