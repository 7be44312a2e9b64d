#include "app/cli/log_axes.hpp"

#include <gmock/gmock.h>

namespace rooftile::cli {
namespace {

using ::testing::ElementsAre;

// Four decades across 400, two up 200, with its top left corner at (10, 20).
constexpr LogAxes axes() {
  return {{0.1, 1000}, {1, 100}, {10, 20}, 400, 200};
}

TEST(LogAxes, DecadesAreEquallyFarApart) {
  EXPECT_DOUBLE_EQ(axes().at(0.1, 1).x, 10);
  EXPECT_DOUBLE_EQ(axes().at(0.1, 1).y, 220);
  EXPECT_DOUBLE_EQ(axes().at(1, 10).x, 110);
  EXPECT_DOUBLE_EQ(axes().at(1, 10).y, 120);
  EXPECT_DOUBLE_EQ(axes().at(1000, 100).x, 410);
  EXPECT_DOUBLE_EQ(axes().at(1000, 100).y, 20);
}

TEST(LogAxes, RoofsRiseByTheSameAngleEverywhere) {
  EXPECT_DOUBLE_EQ(axes().slope_degrees(), -45);
}

TEST(LogAxes, MarksLieInsideTheRange) {
  EXPECT_THAT(decades({0.05, 20}), ElementsAre(0.1, 1, 10));
  EXPECT_THAT(between_decades({3, 25}), ElementsAre(3, 4, 5, 6, 7, 8, 9, 20));
}

}  // namespace
}  // namespace rooftile::cli
