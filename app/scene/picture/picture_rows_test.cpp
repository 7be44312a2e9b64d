// Rows of dots, the trail between them and the model's ring, where a decade is 100 px.
#include "app/scene/picture/picture_rows.hpp"

#include <gmock/gmock.h>

#include "app/scene/picture/picture_axes.hpp"
#include "app/scene/picture/test_picture.hpp"

namespace rooftile::scene {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

struct Drawn {
  ChartPicture picture;
  LabelRoom room{Rect{72, 8, 400, 400}};
  std::vector<StandingRow> rows;
};

// The rows point into the chart.
Drawn draw(const Chart& chart, const ChartLook& look = {}, const ChartFrame& frame = round_frame()) {
  Drawn drawn;
  drawn.picture.plot = roofline_plot(frame);
  const RooflineScales scales = scales_of(round_axes, drawn.picture.plot);
  drawn.rows = lay_out_rows(drawn.picture, drawn.room, chart, look, frame,
                            [&](const ChartRow& row, const Dot& dot, std::size_t) -> std::optional<Spot> {
                              return dot.intensity ? std::optional(scales.at(*dot.intensity, *row.performance))
                                                   : std::nullopt;
                            });
  return drawn;
}

Chart with_rows(std::vector<ChartRow> rows) {
  Chart chart;
  chart.rows = std::move(rows);
  return chart;
}

// At 1 FLOP/B of DRAM and 10 of shared memory.
ChartRow wide_row(std::uint64_t id, double performance, Emphasis emphasis) {
  ChartRow row = row_at(id, 1, performance, emphasis);
  row.dots.push_back({.level = MemoryLevel::shared, .intensity = 10, .share = 0.5, .bandwidth = {}});
  return row;
}

std::vector<Stroke> strokes(const Drawn& drawn, bool dashed) {
  std::vector<Stroke> found = marks<Stroke>(drawn.picture.inside);
  std::erase_if(found, [&](const Stroke& stroke) { return (stroke.dash > 0) != dashed; });
  return found;
}

void expect_at(Spot spot, float x, float y) {
  EXPECT_NEAR(spot.x, x, 0.01);
  EXPECT_NEAR(spot.y, y, 0.01);
}

TEST(PictureRows, ADotIsLargerTheMoreItStandsOut) {
  struct Case {
    Emphasis emphasis;
    float radius;
  };
  for (const auto& [emphasis, radius] :
       {Case{Emphasis::plain, 5}, {Emphasis::named, 6}, {Emphasis::newest, 8}}) {
    const Chart chart = with_rows({row_at(1, 1, 1e12, emphasis)});
    EXPECT_EQ(draw(chart).picture.dots.at(0).radius, radius);
    EXPECT_EQ(draw(chart, {}, frame_of(968, 924, 2)).picture.dots.at(0).radius, 2 * radius);
  }
}

TEST(PictureRows, TheAreaOfADotShowsTheOccupancyIfThatIsWanted) {
  struct Case {
    double occupancy;
    float radius;
  };
  for (const auto& [occupancy, radius] :
       {Case{1, 5 * std::sqrt(2.0f)}, {0.5, 5}, {0.125, 2.5}, {0, 5 * std::sqrt(0.2f)}}) {
    Chart chart = with_rows({row_at(1, 1, 1e12, Emphasis::plain)});
    chart.rows[0].occupancy = occupancy;
    EXPECT_FLOAT_EQ(draw(chart).picture.dots.at(0).radius, radius) << occupancy;
  }
}

TEST(PictureRows, DotsOfARowAreNeighboursAndOneWithoutAPlaceIsLeftOut) {
  Chart chart = with_rows({wide_row(1, 1e12, Emphasis::plain), wide_row(2, 1e13, Emphasis::newest)});
  chart.rows[0].dots[0].intensity.reset();
  const Drawn drawn = draw(chart);
  ASSERT_THAT(drawn.rows, SizeIs(2));
  EXPECT_THAT(drawn.rows[0].dots(drawn.picture), SizeIs(1));
  EXPECT_THAT(drawn.rows[1].dots(drawn.picture), SizeIs(2));
  EXPECT_EQ(drawn.rows[0].dot(drawn.picture, MemoryLevel::dram), nullptr);
  expect_at(drawn.rows[0].dot(drawn.picture, MemoryLevel::shared)->at, 272, 308);
  expect_at(drawn.rows[1].dot(drawn.picture, MemoryLevel::dram)->at, 172, 208);
}

TEST(PictureRows, OnALadderOtherRungsHaveTheDotThatIsLookedAtAlone) {
  const Chart chart = with_rows({wide_row(1, 1e12, Emphasis::named), wide_row(2, 1e13, Emphasis::newest),
                                 wide_row(3, 1e14, Emphasis::named)});
  const Drawn drawn = draw(chart, {.level = MemoryLevel::shared, .one_level = true});
  EXPECT_THAT(drawn.rows[0].dots(drawn.picture), SizeIs(1));
  EXPECT_NE(drawn.rows[0].dot(drawn.picture, MemoryLevel::shared), nullptr);
  EXPECT_THAT(drawn.rows[1].dots(drawn.picture), SizeIs(2)) << "the current launch has all of its dots";
  EXPECT_THAT(drawn.rows[2].dots(drawn.picture), SizeIs(1));
}

TEST(PictureRows, EvidenceAndFreshnessReachTheMark) {
  Chart chart = with_rows({row_at(1, 1, 1e12), row_at(2, 1, 1e13), row_at(3, 1, 1e14)});
  chart.rows[0].evidence = Evidence::predicted;
  chart.rows[1].evidence = Evidence::timed;
  chart.rows[1].freshness = 0.5;
  const auto points = marks<PointMark>(draw(chart).picture.inside);
  ASSERT_THAT(points, SizeIs(3));
  EXPECT_EQ(points[0].evidence, Evidence::predicted);
  EXPECT_EQ(points[1].evidence, Evidence::timed);
  EXPECT_EQ(points[2].evidence, Evidence::counted);
  EXPECT_EQ(points[1].alpha, 0.5f);
  EXPECT_EQ(points[2].alpha, 1);
}

TEST(PictureRows, TheTrailJoinsEachLevelOfALaunchToTheNextOfItsKernel) {
  Chart chart = with_rows({wide_row(1, 1e12, Emphasis::plain), wide_row(2, 1e13, Emphasis::plain),
                           wide_row(3, 1e14, Emphasis::plain)});
  EXPECT_THAT(strokes(draw(chart), false), IsEmpty()) << "pinned ones of another kernel";
  chart.rows[0].on_trail = chart.rows[2].on_trail = true;
  const auto lines = strokes(draw(chart), false);
  ASSERT_THAT(lines, SizeIs(2));
  expect_at(lines[0].from, 172, 308);
  expect_at(lines[0].to, 172, 108);
  expect_at(lines[1].from, 272, 308);
  expect_at(lines[1].to, 272, 108);
}

TEST(PictureRows, TheTrailPausesForALevelThatALaunchLacks) {
  Chart chart = with_rows({wide_row(1, 1e12, Emphasis::plain), row_at(2, 1, 1e13), wide_row(3, 1e14, {})});
  for (ChartRow& row : chart.rows) {
    row.on_trail = true;
  }
  EXPECT_THAT(strokes(draw(chart), false), SizeIs(2)) << "of DRAM alone";
}

TEST(PictureRows, TheTrailFadesTowardsTheOldest) {
  Chart chart = with_rows({row_at(1, 1, 1e12), row_at(2, 1, 1e13), row_at(3, 1, 1e14)});
  double freshness = 0.25;
  for (ChartRow& row : chart.rows) {
    row.on_trail = true;
    row.freshness = freshness;
    freshness *= 2;
  }
  const auto lines = strokes(draw(chart), false);
  ASSERT_THAT(lines, SizeIs(2));
  EXPECT_FLOAT_EQ(lines[1].ink.alpha, 2 * lines[0].ink.alpha);
}

TEST(PictureRows, LevelsOfALaunchThatStandsOutAreConnected) {
  struct Case {
    Emphasis emphasis;
    std::size_t lines;
  };
  for (const auto& [emphasis, lines] :
       {Case{Emphasis::plain, 0}, {Emphasis::named, 1}, {Emphasis::newest, 1}}) {
    const Chart chart = with_rows({wide_row(1, 1e12, emphasis)});
    EXPECT_THAT(strokes(draw(chart), true), SizeIs(lines));
  }
  const Chart alone = with_rows({row_at(1, 1, 1e12, Emphasis::newest)});
  EXPECT_THAT(strokes(draw(alone), true), IsEmpty());
}

TEST(PictureRows, AConnectionIsCutAtTheEdgeOfThePlot) {
  Chart chart = with_rows({wide_row(1, 1e12, Emphasis::newest)});
  chart.rows[0].dots[1].intensity = 1e6;
  const auto lines = strokes(draw(chart), true);
  ASSERT_THAT(lines, SizeIs(1));
  expect_at(lines[0].from, 172, 308);
  expect_at(lines[0].to, 472, 308);
}

TEST(PictureRows, RingsTellAPinFromADotAboveItsRoofAndFromAPrediction) {
  struct Case {
    const char* what;
    bool pinned, above_roof, ghost;
    std::vector<float> radii;
  };
  const Case cases[] = {{"plain", false, false, false, {}},
                        {"pinned", true, false, false, {8}},
                        {"above its roof", false, true, false, {9}},
                        {"both", true, true, false, {9, 8}},
                        {"predicted", false, false, true, {7}}};
  for (const Case& each : cases) {
    Chart chart = with_rows({row_at(1, 1, 1e12)});
    chart.rows[0].pinned = each.pinned;
    chart.rows[0].dots[0].above_roof = each.above_roof;
    if (each.ghost) {
      chart.ghost = row_at(0, 100, 1e14);
    }
    std::vector<float> radii;
    for (const Ring& ring : marks<Ring>(draw(chart).picture.inside)) {
      radii.push_back(ring.radius);
    }
    EXPECT_EQ(radii, each.radii) << each.what;
  }
}

TEST(PictureRows, ThePredictionIsNoDotOfALaunchAndKeepsItsRoom) {
  Chart chart;
  chart.ghost = row_at(0, 10, 1e13);
  Drawn drawn = draw(chart);
  EXPECT_THAT(drawn.picture.dots, IsEmpty());
  ASSERT_THAT(marks<Ring>(drawn.picture.inside), SizeIs(1));
  expect_at(marks<Ring>(drawn.picture.inside)[0].centre, 272, 208);
  EXPECT_FALSE(drawn.room.place(std::array{Rect{270, 206, 4, 4}}));
}

TEST(PictureRows, NoLabelFindsRoomOnADotAndALabelOnTheTrailIsTheLastChoice) {
  Chart chart = with_rows({row_at(1, 1, 1e12), row_at(2, 1, 1e14)});
  chart.rows[0].on_trail = chart.rows[1].on_trail = true;
  Drawn drawn = draw(chart);
  EXPECT_FALSE(drawn.room.place(std::array{Rect{165, 300, 14, 14}}));
  const Rect on_trail{160, 200, 30, 10}, beside{300, 200, 30, 10};
  EXPECT_EQ(drawn.room.place(std::array{on_trail, beside}), beside);
}

TEST(PictureRows, OnlyTheNewestMovesAndALevelThatWasNotThereStandsAtOnce) {
  const ChartRow before = row_at(1, 1, 1e12);
  const Chart chart = with_rows({before, wide_row(2, 1e14, Emphasis::newest)});
  struct Case {
    float progress, y;
  };
  for (const auto& [progress, y] : {Case{0, 308}, {0.25f, 258}, {0.5f, 208}, {1, 108}}) {
    const Drawn drawn = draw(chart, {.moving = Moving{&before, progress}});
    expect_at(drawn.rows[0].dot(drawn.picture, MemoryLevel::dram)->at, 172, 308);
    expect_at(drawn.rows[1].dot(drawn.picture, MemoryLevel::dram)->at, 172, y);
    expect_at(drawn.rows[1].dot(drawn.picture, MemoryLevel::shared)->at, 272, 108);
  }
}

TEST(PictureRows, TheDotUnderThePointerIsTheForemost) {
  const Chart chart = with_rows({row_at(1, 1, 1e12), row_at(2, 1, 1e12, Emphasis::newest)});
  const Drawn drawn = draw(chart);
  struct Case {
    Spot pointer;
    float reach;
    std::uint64_t launch;  // 0: none
  };
  for (const auto& [pointer, reach, launch] : {Case{{172, 308}, 0, 2},
                                               {{180, 308}, 0, 2},
                                               {{181, 308}, 0, 0},
                                               {{181, 308}, 2, 2},
                                               {{172, 330}, 9, 0}}) {
    const PlacedDot* dot = dot_at(drawn.picture, pointer, reach);
    EXPECT_EQ(dot ? dot->launch : 0, launch) << pointer.x << " within " << reach;
  }
}

}  // namespace
}  // namespace rooftile::scene
