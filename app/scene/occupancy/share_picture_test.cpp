// The chart of shares: one line per launch, the newest at the top.
#include <gmock/gmock.h>

#include <numbers>

#include "analysis/text/format.hpp"
#include "app/scene/picture/test_picture.hpp"

namespace rooftile::scene {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;
using testing::SizeIs;

// So many launches, the last the newest, each with half of DRAM's roof.
Chart shares_of(std::size_t launches) {
  Chart chart;
  chart.kind = ChartKind::shares;
  for (std::size_t i = 1; i <= launches; ++i) {
    chart.rows.push_back(row_at(i, 1, 1, i == launches ? Emphasis::newest : Emphasis::plain));
    chart.rows.back().figure = std::to_string(i) + " ms";
  }
  return chart;
}

ChartPicture drawn(const Chart& chart, const ChartFrame& frame = frame_of(900, 600),
                   const ChartLook& look = {}) {
  return share_picture(chart, look, frame);
}

float x_of(const ChartPicture& picture, double share) {
  return picture.plot.x + picture.plot.width * static_cast<float>(share / 1.15);
}

TEST(SharePicture, NamesHaveAFifthOfTheWidthWithinReason) {
  struct Case {
    float width, scale, names;
  };
  for (const auto& [width, scale, names] :
       {Case{400, 1, 130}, {900, 1, 198}, {3000, 1, 300}, {800, 2, 260}, {1800, 2, 396}}) {
    EXPECT_FLOAT_EQ(drawn(shares_of(1), frame_of(width, 600, scale)).plot.x, names) << width;
  }
}

TEST(SharePicture, TheAxisRunsFromNothingToTheRoofInFifths) {
  const ChartPicture picture = drawn(shares_of(1));
  for (const double share : {0.0, 0.2, 0.4, 0.6, 0.8, 1.0}) {
    const Words words = words_of(picture.around, percent(share));
    EXPECT_NEAR(words.at.x, x_of(picture, share), 0.01) << share;
    EXPECT_EQ(words.anchor, Anchor::middle);
  }
  EXPECT_THAT(texts(picture.around), Contains("Share of each level's roof"));
}

TEST(SharePicture, TheRoofStandsAtHundredPercentWithItsWord) {
  const ChartPicture picture = drawn(shares_of(0));
  const auto strokes = marks<Stroke>(picture.inside);
  ASSERT_THAT(strokes, SizeIs(1));
  EXPECT_NEAR(strokes[0].from.x, x_of(picture, 1), 0.01);
  EXPECT_EQ(strokes[0].from.x, strokes[0].to.x);
  EXPECT_NEAR(words_of(picture.inside, "100 % = roof").turn, -std::numbers::pi_v<float> / 2, 1e-6);
}

TEST(SharePicture, ADotStandsAtItsShareAndTheBarReachesTheLevelThatBinds) {
  Chart chart = shares_of(1);
  chart.rows[0].dots = {{.level = MemoryLevel::dram, .intensity = {}, .share = 0.3, .bandwidth = {}},
                        {.level = MemoryLevel::l2, .intensity = {}, .share = 0.9, .bandwidth = {}},
                        {.level = MemoryLevel::shared, .intensity = {}, .share = 0.6, .bandwidth = {}},
                        {.level = MemoryLevel::l1, .intensity = {}, .share = {}, .bandwidth = {}}};
  const ChartPicture picture = drawn(chart);
  ASSERT_THAT(picture.dots, SizeIs(3)) << "no roof of L1 is known";
  EXPECT_NEAR(picture.dots[0].at.x, x_of(picture, 0.3), 0.01);
  EXPECT_NEAR(picture.dots[2].at.x, x_of(picture, 0.6), 0.01);
  const Box bar = marks<Box>(picture.inside).at(0);
  EXPECT_NEAR(bar.place.right(), x_of(picture, 0.9), 0.01);
  EXPECT_EQ(bar.place.x, picture.plot.x);
  EXPECT_EQ(bar.fill.colour, palette(Theme::dark).level(MemoryLevel::l2));
}

TEST(SharePicture, ALaunchAboveItsRoofStaysInSight) {
  for (const double share : {1.02, 1.14, 1.3, 2.5}) {
    Chart chart = shares_of(2);
    chart.rows[0].dots[0].share = share;
    chart.rows[0].dots[0].above_roof = true;
    const ChartPicture picture = drawn(chart);
    for (const PlacedDot& dot : picture.dots) {
      EXPECT_TRUE(holds(picture.plot, {dot.at.x, dot.at.y, 0, 0})) << share;
    }
    EXPECT_GT(picture.dots[0].at.x, marks<Stroke>(picture.inside)[0].from.x) << "right of the roof";
  }
}

TEST(SharePicture, AFewLaunchesAreAsFarApartAsFiveAndMoreShareTheHeight) {
  struct Case {
    std::size_t launches;
    float lines;
  };
  for (const auto& [launches, lines] : {Case{1, 5}, {2, 5}, {5, 5}, {8, 8}, {12, 12}, {40, 12}}) {
    const ChartPicture picture = drawn(shares_of(launches));
    const float apart = picture.plot.height / lines;
    EXPECT_NEAR(picture.dots.back().at.y, picture.plot.y + apart / 2, 0.01) << launches;
    for (std::size_t i = 1; i < picture.dots.size(); ++i) {
      EXPECT_NEAR(picture.dots[i - 1].at.y - picture.dots[i].at.y, apart, 0.01) << launches;
    }
  }
}

TEST(SharePicture, OfManyLaunchesTheNewestAreShown) {
  for (const std::size_t lines : {5u, 12u, 20u}) {
    const ChartPicture picture = drawn(shares_of(20), frame_of(900, 600), {.lines = lines});
    EXPECT_THAT(picture.dots, SizeIs(lines));
    EXPECT_EQ(picture.dots.front().launch, 20 - lines + 1);
    EXPECT_EQ(picture.dots.back().launch, 20u);
    EXPECT_THAT(texts(picture.around), Contains("launch 20"));
    EXPECT_EQ(std::ranges::count(texts(picture.around), "launch 1"), lines == 20 ? 1 : 0);
  }
}

TEST(SharePicture, ALineHasItsNameAboveItsFigureLeftOfThePlot) {
  const ChartPicture picture = drawn(shares_of(3));
  for (const std::string id : {"1", "2", "3"}) {
    const Words name = words_of(picture.around, "launch " + id), figure = words_of(picture.around, id + " ms");
    EXPECT_LT(name.at.y, figure.at.y);
    EXPECT_EQ(name.at.x, figure.at.x);
    EXPECT_LT(name.at.x, picture.plot.x);
    EXPECT_EQ(name.type, id == "3" ? Type::figure_strong : Type::figure_small);
  }
}

TEST(SharePicture, ALongNameIsShortenedToItsColumn) {
  Chart chart = shares_of(2);
  chart.rows[0].label = chart.rows[1].label =
      "tile of the whole block in shared memory 128 \u00b7 padding of A 16";
  for (const float width : {420.0f, 900.0f}) {
    const ChartFrame frame = frame_of(width, 500);
    const ChartPicture picture = drawn(chart, frame);
    expect_no_overlap_and_nothing_cut(picture, frame);
    EXPECT_THAT(texts(picture.around), Contains(testing::EndsWith("\u2026")).Times(2));
  }
}

TEST(SharePicture, TheFlagSaysHowFastTheChosenLevelIs) {
  Chart chart = shares_of(1);
  chart.rows[0].dots[0].bandwidth = BytesPerSecond{2.15e12};
  EXPECT_THAT(texts(drawn(chart).inside), IsSupersetOf({"DRAM", "2.15 TB/s  50 %"}));
  EXPECT_THAT(texts(drawn(chart, frame_of(900, 600), {.level = MemoryLevel::l2}).inside), Not(Contains("L2")))
      << "the launch does not use it";
  chart.rows[0].emphasis = Emphasis::plain;
  EXPECT_THAT(texts(drawn(chart).inside), Not(Contains("DRAM")));
}

TEST(SharePicture, ThePredictionHasTheFirstLineUntilALaunchLands) {
  Chart chart = shares_of(0);
  chart.ghost = row_at(0, 1, 1);
  chart.ghost->label = "predicted one";
  const ChartPicture alone = drawn(chart);
  EXPECT_THAT(texts(alone.around), Contains("predicted one"));
  EXPECT_THAT(alone.dots, IsEmpty());
  ASSERT_THAT(marks<Ring>(alone.inside), SizeIs(1));
  EXPECT_NEAR(marks<Ring>(alone.inside)[0].centre.y, alone.plot.y + alone.plot.height / 10, 0.01);
  chart.rows = shares_of(2).rows;
  const ChartPicture landed = drawn(chart);
  EXPECT_THAT(texts(landed.around), Not(Contains("predicted one")));
  EXPECT_EQ(marks<Ring>(landed.inside).at(0).centre.y, landed.dots.back().at.y) << "beside the newest";
}

}  // namespace
}  // namespace rooftile::scene
