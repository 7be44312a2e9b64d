#include "analysis/advice/advice_judgement.hpp"

#include <gtest/gtest.h>

namespace rooftile {
namespace {

JudgedAdvice advised(double here, double predicted, std::optional<Seconds> there) {
  JudgedAdvice judged{"kernel", "GPU", {here}, {Advice::Answer::move, {here}, true, Move{}}, there, {}};
  judged.advice.move->time = {predicted};
  return judged;
}

JudgedAdvice answered(Advice::Answer answer, std::optional<double> best_gain) {
  return {"kernel", "GPU", {1}, {answer, {1}, true, {}}, {}, best_gain};
}

TEST(AdviceScore, CountsRecordedMovesThatAreFasterAndTheirErrors) {
  const std::vector<JudgedAdvice> judged = {advised(2, 1, Seconds{1.5}), advised(2, 1, Seconds{1}),
                                            advised(2, 1, Seconds{3}), advised(2, 1, {})};
  const AdviceScore reached = score(judged);
  EXPECT_EQ(reached.launches, 4);
  EXPECT_EQ(reached.moves, 4);
  EXPECT_EQ(reached.moves_recorded, 3);
  EXPECT_EQ(reached.faster, 2);
  EXPECT_DOUBLE_EQ(reached.median_error, 1.5);
}

TEST(AdviceScore, NothingIsContradictedByARecordedMoveThatHelps) {
  const std::vector<JudgedAdvice> judged = {
      answered(Advice::Answer::nothing, 1.04), answered(Advice::Answer::nothing, 1.06),
      answered(Advice::Answer::nothing, {}), answered(Advice::Answer::unknown, 2.0)};
  const AdviceScore reached = score(judged);
  EXPECT_EQ(reached.nothing, 3);
  EXPECT_EQ(reached.nothing_recorded, 2);
  EXPECT_EQ(reached.contradicted, 1);
  EXPECT_EQ(reached.unknown, 1);
}

TEST(AdviceScore, OfNoLaunchesIsEmpty) {
  EXPECT_EQ(score({}).launches, 0);
}

}  // namespace
}  // namespace rooftile
