#include "app/scene/paper/log_axes.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace rooftile::scene {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TEST(LogScale, DecadesAreEquallyFarApart) {
  const LogScale scale(0.1, 1000, 10, 410);
  EXPECT_NEAR(scale.at(0.1), 10, 1e-3);
  EXPECT_NEAR(scale.at(1), 110, 1e-3);
  EXPECT_NEAR(scale.at(10), 210, 1e-3);
  EXPECT_NEAR(scale.at(1000), 410, 1e-3);
  EXPECT_NEAR(scale.at_logarithm(std::log(10.0f)), 210, 1e-3);
}

TEST(LogScale, RunsUpwardsWhereTheHighEndIsAbove) {
  EXPECT_NEAR(LogScale(1, 100, 220, 20).at(10), 120, 1e-3);
}

TEST(LogAxes, MarksLieInsideTheRange) {
  EXPECT_THAT(decades(0.05, 20), ElementsAre(0.1, 1, 10));
  EXPECT_THAT(between_decades(3, 25), ElementsAre(3, 4, 5, 6, 7, 8, 9, 20));
}

TEST(LogAxes, ValuesAreWrittenAtDecadesAndAreNeverTooMany) {
  EXPECT_THAT(labelled_values(0.05, 20, 10), ElementsAre(0.1, 1, 10));
  EXPECT_THAT(labelled_values(0.05, 2e5, 4), ElementsAre(0.1, 10, 1000, 1e5));
  EXPECT_THAT(labelled_values(1.5, 8, 10), ElementsAre(2, 5)) << "no decade is in sight";
}

TEST(LogAxes, ARangeThatIsNoneHasNoMarks) {
  EXPECT_THAT(decades(0, 10), IsEmpty());
  EXPECT_THAT(decades(1, INFINITY), IsEmpty());
  EXPECT_THAT(decades(10, 1), IsEmpty());
  EXPECT_THAT(labelled_values(1e-300, 1e300, 10), SizeIs(testing::Le(10u)));
}

}  // namespace
}  // namespace rooftile::scene
