#include "analysis/advice/kriging.hpp"

#include <gtest/gtest.h>

namespace rooftile {
namespace {

// Eleven values of one dial and two of another.
std::vector<std::vector<double>> positions() {
  std::vector<std::vector<double>> all;
  for (int b = 0; b < 2; ++b) {
    for (int a = 0; a <= 10; ++a) {
      all.push_back({a / 10.0, static_cast<double>(b)});
    }
  }
  return all;
}

TEST(Kriging, NothingLearnedIsNothingKnown) {
  const Kriging field(positions());
  EXPECT_EQ(field.at(3).mean, 0);
  EXPECT_EQ(field.at(3).deviation, field.at(17).deviation);
}

TEST(Kriging, OneValueIsTheMeanEverywhereAndSureOnlyThere) {
  Kriging field(positions());
  field.learn(5, 0.4);
  for (const std::size_t place : {0, 4, 5, 6, 21}) {
    EXPECT_NEAR(field.at(place).mean, 0.4, 1e-12) << place;
  }
  EXPECT_LT(field.at(5).deviation, 0.05);
  EXPECT_LT(field.at(5).deviation, field.at(4).deviation);
  EXPECT_LT(field.at(4).deviation, field.at(0).deviation);
  EXPECT_LT(field.at(0).deviation, field.at(11).deviation) << "of another place of both dials";
}

TEST(Kriging, ValuesLearnedComeBackAndOthersLieBetween) {
  Kriging field(positions());
  field.learn(2, 0.1);
  field.learn(8, 0.5);
  EXPECT_NEAR(field.at(2).mean, 0.1, 0.01);
  EXPECT_NEAR(field.at(8).mean, 0.5, 0.01);
  EXPECT_NEAR(field.at(5).mean, 0.3, 1e-9);
  EXPECT_GT(field.at(6).mean, field.at(4).mean);
}

TEST(Kriging, WhatOneDialDoesIsExpectedWhereTheOtherStandsElsewhere) {
  Kriging field(positions());
  field.learn(0, 0.9);
  field.learn(10, 0.1);
  field.learn(21, 0.1);  // the second dial does nothing where the first is at its largest
  EXPECT_GT(field.at(11).mean, field.at(21).mean + 0.1);
}

}  // namespace
}  // namespace rooftile
