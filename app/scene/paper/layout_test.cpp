#include "app/scene/paper/layout.hpp"

#include <gmock/gmock.h>

#include <vector>

namespace rooftile::scene {
namespace {

constexpr float resting_share = 0.75f;

// Windows and displays people have, and every scale at which the folded layout still fits.
struct Case {
  float width, height, scale;
};

std::vector<Case> cases() {
  constexpr std::pair<float, float> sizes[] = {{640, 360},   {800, 600},   {1024, 768},  {1280, 720},
                                               {1280, 800},  {1366, 768},  {1440, 900},  {1600, 960},
                                               {1920, 1080}, {2560, 1080}, {2560, 1440}, {3440, 1440},
                                               {3840, 2160}, {900, 1400},  {1600, 500}};
  std::vector<Case> all;
  for (const auto& [width, height] : sizes) {
    for (const float scale : {0.6f, 0.8f, 1.0f, 1.1f, 1.25f, 1.5f, 1.75f, 2.0f, 2.5f, 3.0f}) {
      if (fitting_scale(width, height, scale) == scale) {
        all.push_back({width, height, scale});
      }
    }
  }
  return all;
}

std::vector<Rect> panels_side_by_side(const Layout& layout) {
  std::vector<Rect> panels;
  for (const Rect& each : {layout.top, layout.chart, layout.left, layout.divider, layout.points, layout.tabs,
                           layout.side, layout.status, layout.rail, layout.dial, layout.verdict}) {
    if (!each.empty()) {
      panels.push_back(each);
    }
  }
  return panels;
}

// By more than rounding.
bool overlapping(const Rect& a, const Rect& b) {
  constexpr float rounding = 0.01f;
  return a.x + rounding < b.right() && b.x + rounding < a.right() && a.y + rounding < b.bottom() &&
         b.y + rounding < a.bottom();
}

bool lies_within(const Rect& part, const Rect& all) {
  constexpr float rounding = 0.01f;
  return part.x >= all.x - rounding && part.y >= all.y - rounding && part.right() <= all.right() + rounding &&
         part.bottom() <= all.bottom() + rounding;
}

// Holds for every window: check(window, its layout).
template <class Check>
void in_every_window(Check check) {
  for (const Case& window : cases()) {
    SCOPED_TRACE(testing::Message() << window.width << " x " << window.height << " at " << window.scale);
    check(window, arrange(window.width, window.height, window.scale, resting_share));
  }
}

template <class Check>
void in_every_folded_window(Check check) {
  in_every_window([&](const Case& window, const Layout& layout) {
    if (layout.folded) {
      check(window, layout);
    }
  });
}

TEST(LayoutOfManyWindows, NoPanelOverlapsAnother) {
  in_every_window([](const Case&, const Layout& layout) {
    const auto panels = panels_side_by_side(layout);
    for (std::size_t i = 0; i < panels.size(); ++i) {
      for (std::size_t j = i + 1; j < panels.size(); ++j) {
        EXPECT_FALSE(overlapping(panels[i], panels[j])) << i << " and " << j;
      }
    }
  });
}

TEST(LayoutOfManyWindows, EveryPanelIsInsideTheWindow) {
  in_every_window([](const Case& window, const Layout& layout) {
    for (const Rect& panel : panels_side_by_side(layout)) {
      EXPECT_TRUE(lies_within(panel, {0, 0, window.width, window.height})) << panel.x << ", " << panel.y;
    }
  });
}

TEST(LayoutOfManyWindows, TheChartHasHalfOfTheWidth) {
  in_every_window([](const Case& window, const Layout& layout) {
    EXPECT_GE(layout.chart.width, window.width / 2 - 0.01f);
  });
}

TEST(LayoutOfManyWindows, ColumnsAreWideEnoughForTheirWords) {
  in_every_window([](const Case& window, const Layout& layout) {
    EXPECT_TRUE(layout.folded || layout.left.width >= 255 * window.scale);
    EXPECT_TRUE(layout.folded || layout.side.width >= 275 * window.scale);
  });
}

TEST(LayoutOfManyWindows, AFoldedChartHasTwoThirdsOfTheHeight) {
  in_every_folded_window([](const Case& window, const Layout& layout) {
    EXPECT_GE(layout.chart.height, window.height * 2 / 3 - 0.01f);
  });
}

TEST(LayoutOfManyWindows, ADialAndTheVerdictFitBelowAFoldedChart) {
  in_every_folded_window([](const Case& window, const Layout& layout) {
    EXPECT_GE(layout.dial.height, 62 * window.scale);
    EXPECT_GE(layout.dial.width, 300 * window.scale);
    EXPECT_GE(layout.verdict.width, 210 * window.scale);
  });
}

TEST(LayoutOfManyWindows, WhatTheRailOpensCoversTheChartAndLeavesTheRail) {
  in_every_folded_window([](const Case& window, const Layout& layout) {
    for (const Rect& cover : {layout.drawer, layout.wide_drawer}) {
      EXPECT_TRUE(overlapping(cover, layout.chart));
      EXPECT_FALSE(overlapping(cover, layout.rail));
      EXPECT_FALSE(overlapping(cover, layout.top));
      EXPECT_TRUE(lies_within(cover, {0, 0, window.width, window.height}));
    }
    EXPECT_FALSE(overlapping(layout.wide_drawer, layout.dial)) << "the dial still moves what is listed";
    EXPECT_TRUE(lies_within(layout.message, layout.chart));
  });
}

TEST(LayoutOfManyWindows, ChartDividerAndPointsFillTheMiddleWhereverTheDividerIs) {
  for (const Case& window : cases()) {
    for (const float share : {0.0f, 0.05f, 0.3f, 0.5f, 0.74f, 0.95f, 1.0f}) {
      const Layout layout = arrange(window.width, window.height, window.scale, share);
      if (layout.folded) {
        continue;
      }
      SCOPED_TRACE(testing::Message() << window.width << " x " << window.height << ", share " << share);
      EXPECT_NEAR(layout.chart.bottom(), layout.divider.y, 0.01);
      EXPECT_NEAR(layout.divider.bottom(), layout.points.y, 0.01);
      EXPECT_NEAR(layout.points.bottom(), layout.tabs.y, 0.01);
      EXPECT_NEAR(layout.tabs.bottom(), layout.left.bottom(), 0.01);
      EXPECT_TRUE(layout.chart_shown || layout.points_shown);
      EXPECT_EQ(layout.chart_shown, layout.chart.height > 0.01f);
      EXPECT_EQ(layout.points_shown, layout.points.height > 0.01f);
    }
  }
}

struct Fold {
  Case window;
  bool folded;
};

TEST(Layout, ColumnsFoldWhereTheyWouldSqueezeTheChart) {
  constexpr Fold folds[] = {{{1280, 720, 1}, false},    {{1280, 720, 1.25f}, true}, {{1280, 720, 1.5f}, true},
                            {{1280, 720, 2}, true},     {{800, 600, 1}, true},      {{1366, 768, 1}, false},
                            {{1600, 960, 1}, false},    {{1920, 1080, 1}, false},   {{1920, 1080, 1.5f}, false},
                            {{3840, 2160, 2}, false},   {{3840, 2160, 3}, false},   {{2560, 1080, 1}, false},
                            {{2560, 1080, 1.5f}, false}};
  for (const auto& [window, folded] : folds) {
    EXPECT_EQ(arrange(window.width, window.height, window.scale, resting_share).folded, folded)
        << window.width << " x " << window.height << " at " << window.scale;
  }
}

TEST(Layout, ColumnsStandBesideEachOtherWithAGap) {
  const Layout layout = arrange(1600, 960, 1, resting_share);
  EXPECT_EQ(layout.left.width, 296);
  EXPECT_EQ(layout.side.width, 320);
  EXPECT_EQ(layout.chart.x, layout.left.right() + 10);
  EXPECT_EQ(layout.chart.right() + 10, layout.side.x);
  EXPECT_EQ(layout.side.right(), 1590);
  EXPECT_EQ(layout.tabs.bottom(), layout.left.bottom());
  EXPECT_EQ(layout.status.bottom(), 960);
}

TEST(Layout, TheSideColumnIsTabsOnlyInALowWindow) {
  EXPECT_FALSE(arrange(1600, 960, 1, resting_share).side_as_tabs);
  EXPECT_TRUE(arrange(1280, 720, 1, resting_share).side_as_tabs);
  EXPECT_FALSE(arrange(3200, 1920, 2, resting_share).side_as_tabs);
}

TEST(Layout, ScalesEverythingFromOneNumber) {
  const Layout once = arrange(1600, 960, 1, resting_share);
  const Layout twice = arrange(3200, 1920, 2, resting_share);
  EXPECT_EQ(twice.left.width, 2 * once.left.width);
  EXPECT_EQ(twice.chart.height, 2 * once.chart.height);
  EXPECT_EQ(twice.points.y, 2 * once.points.y);
}

TEST(Layout, TheDividerGivesTheMiddleToEitherPart) {
  const Layout all_chart = arrange(1600, 960, 1, 1);
  EXPECT_FALSE(all_chart.points_shown);
  EXPECT_EQ(all_chart.divider.bottom(), all_chart.tabs.y);
  const Layout all_points = arrange(1600, 960, 1, 0);
  EXPECT_FALSE(all_points.chart_shown);
  EXPECT_EQ(all_points.chart.height, 0);
}

TEST(Layout, ALittleOfBothStaysLegible) {
  const Layout layout = arrange(1280, 720, 1, 0.92f);
  EXPECT_TRUE(layout.points_shown);
  EXPECT_GE(layout.points.height, 84);
}

TEST(Layout, AScaleThatAWindowCannotHoldIsLowered) {
  EXPECT_EQ(fitting_scale(1280, 720, 1.5f), 1.5f);
  EXPECT_EQ(fitting_scale(1280, 720, 3), 2);
  EXPECT_EQ(fitting_scale(1920, 720, 3), 2) << "by its height";
}

TEST(Layout, APresentationGivesTheChartTheWholeWidthAtAnySize) {
  for (const float scale : {1.0f, 1.6f}) {
    const Layout layout = arrange(1280, 720, scale, resting_share, Beside::nothing);
    EXPECT_TRUE(layout.folded);
    EXPECT_TRUE(layout.rail.empty());
    EXPECT_TRUE(layout.lesson.empty());
    EXPECT_GT(layout.chart.width, 1240);
    EXPECT_GT(layout.chart.height, 720 * 0.6f);
    EXPECT_FALSE(layout.dial.empty());
  }
}

}  // namespace
}  // namespace rooftile::scene
