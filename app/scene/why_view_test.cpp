#include "app/scene/why_view.hpp"

#include <gmock/gmock.h>

#include "app/scene/actions.hpp"
#include "app/scene/test_session.hpp"

namespace rooftile::scene {
namespace {

using testing::HasSubstr;

TEST(WhyView, EachBarBeginsWhereTheOneAboveEnds) {
  const WhyView view = waterfall({{4e-3}, {2e-3}, {{"DRAM", {-3e-3}}, {"L2", {+0.5e-3}}}, {0.5e-3}});
  const struct {
    const char *name, *figure;
    double from, to;
    WhyBar::Kind kind;
  } rows[] = {{"before", "4.00 ms", 0, 1, WhyBar::Kind::time},
              {"DRAM", "\u22123.00 ms", 0.25, 1, WhyBar::Kind::saves},
              {"L2", "+500 \u00b5s", 0.25, 0.375, WhyBar::Kind::adds},
              {"not explained", "+500 \u00b5s", 0.375, 0.5, WhyBar::Kind::unknown},
              {"now", "2.00 ms", 0, 0.5, WhyBar::Kind::time}};
  ASSERT_EQ(view.bars.size(), std::size(rows));
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    EXPECT_EQ(view.bars[i].name, rows[i].name);
    EXPECT_EQ(view.bars[i].figure, rows[i].figure);
    EXPECT_DOUBLE_EQ(view.bars[i].from, rows[i].from) << rows[i].name;
    EXPECT_DOUBLE_EQ(view.bars[i].to, rows[i].to) << rows[i].name;
    EXPECT_EQ(view.bars[i].kind, rows[i].kind) << rows[i].name;
  }
}

TEST(WhyView, StaysInItsWidthWhereAPredictionFallsBelowZero) {
  const WhyView view = waterfall({{1e-3}, {1e-3}, {{"DRAM", {-2e-3}}}, {2e-3}});
  for (const WhyBar& bar : view.bars) {
    EXPECT_GE(bar.from, 0) << bar.name;
    EXPECT_LE(bar.to, 1) << bar.name;
  }
}

TEST(WhyView, ComparesWithTheLaunchVisitedBefore) {
  AppState state = recorded_state();
  apply(state, {SelectKernel{"transpose_tiled"}, SetParameter{"PAD", 0}});
  apply(state, {SetParameter{"PAD", 1}});
  EXPECT_FALSE(state.shown.subject->why) << "nobody looks";
  apply(state, {SelectLower{LowerPanel::why}});
  ASSERT_TRUE(state.shown.subject->why);
  EXPECT_THAT(state.shown.subject->why->sentence, HasSubstr("bank conflicts"));
}

TEST(WhyView, OfAKernelsFirstLaunchThereIsNone) {
  AppState state = live_state();
  apply(state, {SelectKernel{"transpose_tiled"}, SelectLower{LowerPanel::why}});
  land(state, counted_point(state, 1, "transpose_tiled", {}));
  EXPECT_FALSE(state.shown.subject->why);
}

}  // namespace
}  // namespace rooftile::scene
