#include "analysis/predict/judgement.hpp"

#include <gtest/gtest.h>

namespace rooftile {
namespace {

JudgedLaunch launch(double measured, double predicted, const std::string& problem = "one", double least = 0.5) {
  return {"kernel", "GPU", problem, 1024, {measured}, {predicted}, {least}};
}

TEST(Judgement, ErrorsAreRatiosInEitherDirection) {
  const std::vector<JudgedLaunch> launches = {launch(1, 1), launch(2, 1), launch(1, 1.25)};
  const Judgement judgement = judge(launches);
  EXPECT_EQ(judgement.launches, 3);
  EXPECT_DOUBLE_EQ(judgement.median_error, 1.25);
  EXPECT_DOUBLE_EQ(judgement.error_95, 2);
  EXPECT_DOUBLE_EQ(judgement.within_1_3, 2.0 / 3);
}

TEST(Judgement, OrdersPairsOfOneProblemThatDifferEnough) {
  const std::vector<JudgedLaunch> launches = {launch(1, 1), launch(1.04, 0.9), launch(2, 3), launch(4, 2.5),
                                              launch(1, 9, "another")};
  const Judgement judgement = judge(launches);
  EXPECT_EQ(judgement.pairs, 5);  // 1 and 1.04 are no order to predict
  EXPECT_EQ(judgement.pairs_ordered, 4);
}

TEST(Judgement, ATieOrdersNoPairWhicheverComesFirst) {
  EXPECT_EQ(judge(std::vector{launch(1, 1), launch(2, 1)}).pairs_ordered, 0);
  EXPECT_EQ(judge(std::vector{launch(2, 1), launch(1, 1)}).pairs_ordered, 0);
}

TEST(Judgement, HoldsTheFavouriteAgainstTheBest) {
  const std::vector<JudgedLaunch> launches = {launch(1, 1), launch(1.08, 0.9), launch(1, 2, "another"),
                                              launch(3, 1, "another"), launch(1, 1, "alone")};
  const Judgement judgement = judge(launches);
  EXPECT_EQ(judgement.problems, 2);
  EXPECT_EQ(judgement.good_favourites, 1);
  EXPECT_DOUBLE_EQ(judgement.worst_favourite, 3);
}

TEST(Judgement, CountsLaunchesFasterThanTheirRoofsAllow) {
  const std::vector<JudgedLaunch> launches = {launch(1, 1, "one", 1.01), launch(1, 1, "one", 1.05)};
  EXPECT_EQ(judge(launches).impossible, 1);
}

TEST(Judgement, OfNoLaunchesHasNothingToSay) {
  EXPECT_EQ(judge({}).launches, 0);
}

}  // namespace
}  // namespace rooftile
