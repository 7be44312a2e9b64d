#include "analysis/model/tolerance.hpp"

#include <gmock/gmock.h>

#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

const Parameters sizes = {{"N", 4}};

Expression formula(const char* text) {
  return {text, {"N"}};
}

TEST(Tolerance, FollowsTheTypeOfTheElementWhereNoneIsStated) {
  const struct {
    const char* element;
    double scale;
    Tolerance tolerance;
  } rows[] = {
      {"float", 1, {1e-4, 1e-4}},
      {"float", 0.5, {0.5e-4, 1e-4}},
      {"double", 1, {1e-10, 1e-10}},
      {"half", 1, {2e-3, 2e-3}},
      {"bfloat16", 1, {1.6e-2, 1.6e-2}},
      {"fp8_e4m3", 1, {0.25, 0.25}},
      {"char", 1, {0, 0}},
      {"short", 1, {0, 0}},
      {"int", 1, {0, 0}},
      {"long_long", 1, {0, 0}},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(tolerance_of({}, sizes, row.element, row.scale), row.tolerance) << row.element;
  }
}

// The outputs of a softmax over 4,096 columns.
TEST(Tolerance, IsSmallBesideSmallResults) {
  EXPECT_LT(tolerance_of({}, sizes, "float", 4e-4).absolute, 0.001 * 2.4e-4);
}

TEST(Tolerance, WhereOneIsStatedTheOtherIsNone) {
  VerifyRule rule;
  rule.tolerance = formula("1 / N");
  EXPECT_EQ(tolerance_of(rule, sizes, "float", 1), (Tolerance{0.25, 0}));
  EXPECT_EQ(tolerance_of(rule, sizes, "int", 1), (Tolerance{0.25, 0}));
  rule = {};
  rule.relative_tolerance = formula("N / 400");
  EXPECT_EQ(tolerance_of(rule, sizes, "half", 1), (Tolerance{0, 0.01}));
  EXPECT_EQ(tolerance_of(rule, sizes, "long_long", 1), (Tolerance{0, 0})) << "whole numbers are exact";
}

TEST(Tolerance, BelowZeroItIsAMistake) {
  VerifyRule rule;
  rule.relative_tolerance = formula("N - 5");
  EXPECT_THAT(
      [&] { tolerance_of(rule, sizes, "float", 1); },
      testing::ThrowsMessage<Error>("The relative_tolerance \"N - 5\" is -1 (N=4), not a number from 0 on."));
}

}  // namespace
}  // namespace rooftile
