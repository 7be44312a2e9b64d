#include "analysis/record/point_list.hpp"

#include <gmock/gmock.h>

namespace rooftile {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Point point(std::uint64_t id, const std::string& kernel, bool final) {
  Point point;
  point.id = id;
  point.kernel = kernel;
  point.final = final;
  return point;
}

TEST(PointList, FindsTheNewestLaunchOfAnId) {
  PointList points;
  points.add(point(7, "first run", true));
  points.add(point(9, "other", true));
  points.add(point(7, "second run", false));
  points.add(point(7, "second run, counted", true));
  ASSERT_EQ(points.size(), 3);
  EXPECT_EQ(points[0].kernel, "first run");
  EXPECT_EQ(points.find(7), &points[2]);
  EXPECT_EQ(points.find(7)->kernel, "second run, counted");
  EXPECT_EQ(points.find(9), &points[1]);
  EXPECT_EQ(points.find(8), nullptr);
}

TEST(PointList, TellsAReaderWhichPointsChangedSinceItLooked) {
  PointList points;
  EXPECT_THAT(points.changed_since(0), IsEmpty());
  points.add(point(1, "a", false));
  points.add(point(2, "b", true));
  const std::uint64_t seen = points.revision();
  EXPECT_THAT(points.changed_since(0), ElementsAre(0, 1));
  EXPECT_THAT(points.changed_since(seen), IsEmpty());
  points.add(point(1, "a", true));
  points.add(point(3, "c", true));
  EXPECT_THAT(points.changed_since(seen), ElementsAre(0, 2));
  EXPECT_THAT(points.changed_since(points.revision()), IsEmpty());
}

TEST(PointList, AReaderOfALongerListSeesNothingInAShorterOne) {
  EXPECT_THAT(PointList().changed_since(5), IsEmpty());
}

TEST(PointList, ACopyFindsItsOwnPoints) {
  PointList points;
  points.add(point(1, "a", true));
  const PointList copy = points;
  EXPECT_EQ(copy.find(1), &copy[0]);
}

}  // namespace
}  // namespace rooftile
