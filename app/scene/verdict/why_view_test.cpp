#include "app/scene/verdict/why_view.hpp"

#include <gmock/gmock.h>

#include "app/scene/actions/actions.hpp"
#include "app/scene/state/test_session.hpp"

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

TEST(WhyView, ACauseTooSmallToSeeHasNoBar) {
  const WhyView view = waterfall({{1e-3}, {2e-3}, {{"DRAM", {4e-15}}, {"L2", {1e-3}}}, {0}});
  ASSERT_EQ(view.bars.size(), 4u);
  EXPECT_EQ(view.bars[1].name, "L2");
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
  EXPECT_FALSE(state.derived.shown.subject->why) << "nobody looks";
  apply(state, {ShowPanel{Panel::why}});
  ASSERT_TRUE(state.derived.shown.subject->why);
  EXPECT_THAT(state.derived.shown.subject->why->sentence, HasSubstr("bank conflicts"));
}

TEST(WhyView, OfAKernelsFirstLaunchThereIsNone) {
  AppState state = live_state();
  apply(state, {SelectKernel{"transpose_tiled"}, ShowPanel{Panel::why}});
  land(state, counted_point(state, 1, "transpose_tiled", {}));
  EXPECT_FALSE(state.derived.shown.subject->why);
}

// transpose_tiled at padding 0, 1 and 2, visited in this order.
AppState visited_paddings() {
  AppState state = live_state();
  apply(state, {SelectKernel{"transpose_tiled"}, ShowPanel{Panel::why}});
  for (const double pad : {0, 1, 2}) {
    Point point = counted_point(state, 1 + static_cast<std::uint64_t>(pad), "transpose_tiled", {{"PAD", pad}});
    point.timing->median = Seconds{(4 - pad) * 1e-3};
    land(state, point);
  }
  apply(state, {SetParameter{"PAD", 2}});
  return state;
}

TEST(WhyView, OfTwoSelectedLaunchesItExplainsTheStepBetweenThem) {
  struct Case {
    std::uint64_t present;
    std::set<std::uint64_t> selected;
    std::uint64_t from, to;
  };
  for (const auto& [present, selected, from, to] : {Case{3, {}, 2, 3},
                                                    {3, {1, 3}, 1, 3},
                                                    {3, {1, 2}, 1, 2},
                                                    {1, {1, 3}, 3, 1},
                                                    {3, {1, 2, 3}, 2, 3},
                                                    {3, {1}, 2, 3}}) {
    AppState state = visited_paddings();
    state.choice.selected = present;
    state.view.selection = selected;
    const auto step = step_to(state, *state.known.session.log->point(present));
    ASSERT_TRUE(step);
    EXPECT_EQ(step->from->id, from) << present << " of " << selected.size();
    EXPECT_EQ(step->to->id, to) << present << " of " << selected.size();
  }
}

TEST(WhyView, ItsEndsBearWhatTellsThemApart) {
  AppState state = visited_paddings();
  apply(state, {SelectLaunches{{1, 3}}});
  const auto& bars = state.derived.shown.subject->why->bars;
  EXPECT_EQ(bars.front().name, "padding 0");
  EXPECT_EQ(bars.front().figure, "4.00 ms");
  EXPECT_EQ(bars.back().name, "padding 2");
  EXPECT_EQ(bars.back().figure, "2.00 ms");
}

TEST(WhyView, LaunchesOfTwoKernelsAreNotCompared) {
  AppState state = visited_paddings();
  land(state, counted_point(state, 9, "sgemm_tiled", {}));
  apply(state, {SelectLaunches{{1, 9}}});
  ASSERT_TRUE(state.derived.shown.subject->why);
  EXPECT_TRUE(state.derived.shown.subject->why->bars.empty());
  EXPECT_THAT(state.derived.shown.subject->why->sentence, HasSubstr("one kernel"));
}

}  // namespace
}  // namespace rooftile::scene
