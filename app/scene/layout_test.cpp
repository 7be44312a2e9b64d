#include "app/scene/layout.hpp"

#include <gmock/gmock.h>

namespace rooftile::scene {
namespace {

TEST(Layout, ColumnsStandBesideEachOtherWithAGap) {
  const Layout layout = arrange(1600, 960, 1, 0.75f);
  EXPECT_EQ(layout.left.width, 296);
  EXPECT_EQ(layout.side.width, 320);
  EXPECT_EQ(layout.chart.x, layout.left.right() + 10);
  EXPECT_EQ(layout.chart.right() + 10, layout.side.x);
  EXPECT_EQ(layout.side.right(), 1590);
  EXPECT_EQ(layout.points.bottom(), layout.left.bottom());
  EXPECT_EQ(layout.status.bottom(), 960);
}

TEST(Layout, TheSideColumnIsTabsOnlyInALowWindow) {
  EXPECT_FALSE(arrange(1600, 960, 1, 0.75f).side_as_tabs);
  EXPECT_TRUE(arrange(1280, 720, 1, 0.75f).side_as_tabs);
  EXPECT_FALSE(arrange(3200, 1920, 2, 0.75f).side_as_tabs);
}

TEST(Layout, ScalesEverythingFromOneNumber) {
  const Layout once = arrange(1600, 960, 1, 0.75f);
  const Layout twice = arrange(3200, 1920, 2, 0.75f);
  EXPECT_EQ(twice.left.width, 2 * once.left.width);
  EXPECT_EQ(twice.chart.height, 2 * once.chart.height);
  EXPECT_EQ(twice.points.y, 2 * once.points.y);
}

TEST(Layout, TheDividerGivesTheMiddleToEitherPart) {
  const Layout all_chart = arrange(1600, 960, 1, 1);
  EXPECT_FALSE(all_chart.points_shown);
  EXPECT_EQ(all_chart.divider.bottom(), all_chart.left.bottom());
  const Layout all_points = arrange(1600, 960, 1, 0);
  EXPECT_FALSE(all_points.chart_shown);
  EXPECT_EQ(all_points.chart.height, 0);
}

TEST(Layout, ALittleOfBothStaysLegible) {
  const Layout layout = arrange(1280, 720, 1, 0.93f);
  EXPECT_TRUE(layout.points_shown);
  EXPECT_GE(layout.points.height, 84);
}

}  // namespace
}  // namespace rooftile::scene
