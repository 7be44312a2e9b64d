// Drawings for both pens: labels that stand on nothing, dots where their numbers say.
#include "app/scene/picture/chart_picture.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "app/scene/actions/actions.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/picture/test_picture.hpp"
#include "app/scene/state/test_session.hpp"

namespace rooftile::scene {
namespace {

using testing::Contains;
using testing::IsSupersetOf;
using testing::Not;
using testing::SizeIs;

// Three launches, tile 4, 8 and 32.
AppState trail_state() {
  AppState state = recorded_state();
  apply(state, {SetParameter{"TILE", 8}, SetParameter{"TILE", 32}});
  return state;
}

AppState pinned_state() {
  AppState state = trail_state();
  for (const ChartRow& row : std::vector<ChartRow>(state.derived.shown.chart.rows)) {
    apply(state, {Pin{row.id}});
  }
  return state;
}

class EverySize : public testing::TestWithParam<std::pair<float, float>> {
 protected:
  const ChartFrame frame = frame_of(GetParam().first, GetParam().second, GetParam().first > 2000 ? 2 : 1);
};
INSTANTIATE_TEST_SUITE_P(ChartPicture, EverySize,
                         testing::Values(std::pair{520.0f, 300.0f}, std::pair{900.0f, 600.0f},
                                         std::pair{2400.0f, 1500.0f}));

TEST_P(EverySize, NoLabelStandsOnAnotherAndNoneIsCut) {
  AppState state = pinned_state();
  for (const MemoryLevel level : {MemoryLevel::dram, MemoryLevel::shared}) {
    apply(state, {SelectLevel{level}});
    expect_no_overlap_and_nothing_cut(picture_of(state, frame), frame);
  }
  apply(state, {ToggleInstructions{}});
  expect_no_overlap_and_nothing_cut(picture_of(state, frame), frame);
}

TEST_P(EverySize, NorOnTheChartOfShares) {
  AppState state = recorded_state();
  apply(state, {SelectKernel{"transpose_tiled"}});
  expect_no_overlap_and_nothing_cut(picture_of(state, frame), frame);
}

TEST(RooflinePicture, EveryRoofHasItsNameAndFigure) {
  const AppState state = recorded_state();
  const ChartPicture picture = picture_of(state, frame_of(900, 600));
  EXPECT_THAT(texts(picture.inside),
              IsSupersetOf({"DRAM  4.30 TB/s", "L2  10.0 TB/s", "shared memory  33.0 TB/s",
                            "FP32 FMA  66.0 TFLOP/s", "ridge 15.3 FLOP/B"}));
  EXPECT_THAT(picture.roofs, SizeIs(4));
}

TEST(RooflinePicture, APinnedLabelIsWrittenAndNotStruckByItsOwnLine) {
  AppState state = pinned_state();
  apply(state, {SelectLevel{MemoryLevel::shared}});
  const ChartFrame frame = frame_of(900, 600);
  const ChartPicture picture = picture_of(state, frame);
  for (const ChartRow& row : state.derived.shown.chart.rows) {
    EXPECT_THAT(texts(picture.inside), Contains(row.label));
  }
  for (const Words& words : marks<Words>(picture.inside)) {
    const auto corners = corners_of(words, frame.measure);
    const Rect place{corners[0].x, corners[0].y, corners[1].x - corners[0].x, corners[3].y - corners[0].y};
    for (const Stroke& line : marks<Stroke>(picture.inside)) {
      const bool joins_dots = line.dash == frame.px(4);
      EXPECT_FALSE(words.turn == 0 && joins_dots && overlap(place, Bar{line.from, line.to})) << words.text;
    }
  }
}

TEST(RooflinePicture, ADotStandsWhereItsNumbersSay) {
  const AppState state = recorded_state();
  const ChartPicture picture = picture_of(state, frame_of(900, 600));
  const ChartRow& newest = state.derived.shown.chart.rows.back();
  const Axes& axes = state.view.axes;
  const double x =
      std::log(*newest.dot(MemoryLevel::dram)->intensity / axes.x_min) / std::log(axes.x_max / axes.x_min);
  const double y = std::log(axes.y_max / *newest.performance) / std::log(axes.y_max / axes.y_min);
  const Spot there{picture.plot.x + picture.plot.width * static_cast<float>(x),
                   picture.plot.y + picture.plot.height * static_cast<float>(y)};
  const PlacedDot* dot = dot_at(picture, there, 0);
  ASSERT_TRUE(dot);
  EXPECT_EQ(dot->launch, newest.id);
  EXPECT_EQ(dot->level, MemoryLevel::dram);
  EXPECT_NEAR(dot->at.x, there.x, 0.01);
  EXPECT_NEAR(dot->at.y, there.y, 0.01);
  EXPECT_EQ(dot_at(picture, {picture.plot.x, picture.plot.y}, 3), nullptr);
}

TEST(RooflinePicture, TheNewestMovesFromWhereTheOneBeforeStands) {
  const AppState state = trail_state();
  const Chart& chart = state.derived.shown.chart;
  ASSERT_EQ(chart.rows.size(), 3u);
  const ChartRow& before = chart.rows[chart.rows.size() - 2];
  const auto x_of_newest = [&](float progress) {
    const ChartLook look{.moving = Moving{&before, progress}};
    return roofline_picture(chart, state.view.axes, look, frame_of(900, 600)).dots.back().at;
  };
  const ChartPicture still = picture_of(state, frame_of(900, 600));
  const Spot end = still.dots.back().at;
  const Spot start = still.dots[still.dots.size() - 1 - chart.rows.back().dots.size()].at;
  EXPECT_EQ(x_of_newest(0), start);
  EXPECT_EQ(x_of_newest(1), end);
  EXPECT_NEAR(x_of_newest(0.5f).y, (start.y + end.y) / 2, 0.01);
}

TEST(RooflinePicture, ARoofIsFoundUnderThePointer) {
  const AppState state = recorded_state();
  const ChartPicture picture = picture_of(state, frame_of(900, 600));
  const Bar& line = picture.roofs[0].line;
  const PlacedRoof* roof =
      roof_at(picture, {(line.from.x + line.to.x) / 2, (line.from.y + line.to.y) / 2 + 2}, 5);
  ASSERT_TRUE(roof);
  EXPECT_EQ(state.derived.shown.chart.roofs[roof->roof].name, "DRAM");
  EXPECT_EQ(roof_at(picture, {picture.plot.right() - 5, picture.plot.bottom() - 5}, 5), nullptr);
}

TEST(RooflinePicture, RoofsOnOneLineShowBothColours) {
  Roofs roofs{
      "",
      {{MemoryLevel::l1, {33e12}, Origin::measured, ""}, {MemoryLevel::shared, {32e12}, Origin::measured, ""}},
      {}};
  Chart chart;
  add_roofs(chart, roofs, {}, {});
  const ChartPicture picture = roofline_picture(chart, Axes{}, {}, frame_of(900, 600));
  const auto lines = marks<Stroke>(picture.inside);
  ASSERT_THAT(lines, SizeIs(2));
  EXPECT_EQ(lines[0].dash, 0);
  EXPECT_GT(lines[1].dash, 0);
  expect_no_overlap_and_nothing_cut(picture, frame_of(900, 600));
  EXPECT_THAT(texts(picture.inside), SizeIs(2));
}

TEST(RooflinePicture, ACrowdIsDrawnCheaplyAndStaysUnderThePointer) {
  Chart chart;
  for (int i = 0; i < 100; ++i) {
    chart.crowd.insert(chart.crowd.end(),
                       {{7, std::log(10.0f), std::log(1e13f), MemoryLevel::dram, Evidence::counted}});
  }
  const ChartPicture picture = roofline_picture(chart, Axes{}, {}, frame_of(900, 600));
  const auto specks = marks<Specks>(picture.inside);
  ASSERT_THAT(specks, SizeIs(1));
  EXPECT_THAT(specks[0].centres, SizeIs(1)) << "of those on one place one is drawn";
  const PlacedDot* dot = dot_at(picture, specks[0].centres[0], 0);
  ASSERT_TRUE(dot);
  EXPECT_EQ(dot->launch, 7u);
}

TEST(RooflinePicture, BeforeAnyLaunchTheModelsDotCarriesTheFlag) {
  const AppState state = live_state();
  const auto words = texts(picture_of(state, frame_of(900, 600)).inside);
  EXPECT_THAT(words, Contains(testing::StartsWith("predicted ")));
}

TEST(RooflinePicture, ADotAboveItsRoofIsRinged) {
  AppState state = recorded_state();
  const Rgb bad = palette(Theme::dark).bad;
  const auto ringed = [&] {
    const auto rings = marks<Ring>(picture_of(state, frame_of(900, 600)).inside);
    return std::ranges::count(rings, bad, [](const Ring& ring) { return ring.ink.colour; });
  };
  EXPECT_EQ(ringed(), 0);
  state.derived.shown.chart.rows.back().dots.front().above_roof = true;
  EXPECT_EQ(ringed(), 1);
}

TEST(SharePicture, EachLaunchHasALineAndTheNewestStandsAtTheTop) {
  AppState state = recorded_state();
  apply(state, {SelectKernel{"transpose_tiled"}});
  apply(state, {SetParameter{"PAD", 1}});
  ASSERT_EQ(state.derived.shown.chart.rows.size(), 2u);
  const ChartPicture picture = picture_of(state, frame_of(900, 600));
  EXPECT_THAT(texts(picture.around),
              IsSupersetOf({state.derived.shown.chart.rows[0].label, state.derived.shown.chart.rows[1].label}));
  EXPECT_LT(picture.dots.back().at.y, picture.dots.front().at.y);
  EXPECT_THAT(texts(picture.inside), Contains("100 % = roof"));
}

TEST(SharePicture, WithoutALaunchTheModelHasALine) {
  AppState state = live_state();
  apply(state, {SelectKernel{"transpose_tiled"}});
  const ChartPicture picture = picture_of(state, frame_of(900, 600));
  EXPECT_THAT(texts(picture.around), Contains(state.derived.shown.chart.ghost->label));
  EXPECT_THAT(marks<Ring>(picture.inside), Not(SizeIs(0)));
}

}  // namespace
}  // namespace rooftile::scene
