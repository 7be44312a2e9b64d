// Labels beside dots: in which order, where, and which are left out.
#include "app/scene/picture/row_labels.hpp"

#include <gmock/gmock.h>

#include "app/scene/picture/picture_axes.hpp"
#include "app/scene/picture/test_picture.hpp"

namespace rooftile::scene {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

ChartPicture labelled(const std::vector<ChartRow>& rows, MemoryLevel level = MemoryLevel::dram,
                      const std::vector<Rect>& taken = {}) {
  Chart chart;
  chart.rows = rows;
  const ChartFrame frame = round_frame();
  ChartPicture picture;
  picture.plot = roofline_plot(frame);
  LabelRoom room(picture.plot);
  for (const Rect& each : taken) {
    room.take(each);
  }
  const RooflineScales scales = scales_of(round_axes, picture.plot);
  const auto standing =
      lay_out_rows(picture, room, chart, {}, frame, [&](const ChartRow& row, const Dot& dot, std::size_t) {
        return std::optional(scales.at(*dot.intensity, *row.performance));
      });
  label_rows(picture, room, standing, level, frame);
  return picture;
}

std::vector<ChartRow> rows_apart(std::size_t how_many, Emphasis emphasis) {
  std::vector<ChartRow> rows;
  for (std::size_t i = 0; i < how_many; ++i) {
    rows.push_back(row_at(i + 1, 1, 2e11 * std::pow(2, i), emphasis));
  }
  return rows;
}

// All on one place, but for a little.
std::vector<ChartRow> rows_crowded(std::size_t how_many, Emphasis emphasis) {
  std::vector<ChartRow> rows;
  for (std::size_t i = 0; i < how_many; ++i) {
    rows.push_back(row_at(i + 1, 10, 1e13 * std::pow(1.08, i), emphasis));
  }
  return rows;
}

TEST(RowLabels, OfPlainLaunchesTheSixNewestAreNamed) {
  EXPECT_THAT(texts(labelled(rows_apart(9, Emphasis::plain)).inside),
              ElementsAre("launch 9", "launch 8", "launch 7", "launch 6", "launch 5", "launch 4"));
  EXPECT_THAT(texts(labelled(rows_apart(2, Emphasis::plain)).inside), SizeIs(2));
}

TEST(RowLabels, EveryPinnedLaunchIsNamedBeforeAnyPlainOne) {
  EXPECT_THAT(texts(labelled(rows_apart(9, Emphasis::named)).inside), SizeIs(9));
  std::vector<ChartRow> rows = rows_apart(9, Emphasis::plain);
  rows[0].emphasis = rows[1].emphasis = Emphasis::named;
  const auto words = texts(labelled(rows).inside);
  EXPECT_THAT(words, SizeIs(2 + 6));
  EXPECT_EQ(words[0], "launch 2");
  EXPECT_EQ(words[1], "launch 1");
}

TEST(RowLabels, TheNewestHasAFlagInsteadOfALabel) {
  EXPECT_THAT(texts(labelled(rows_apart(1, Emphasis::newest)).inside), IsEmpty());
}

TEST(RowLabels, StandToTheRightOfTheDotWhereThatIsFreeAndElseOnAnotherSide) {
  const std::vector<ChartRow> row{row_at(1, 10, 1e13)};
  struct Case {
    Rect taken;
    Spot at;  // left end, half the height
  };
  const float width = half_as_wide_as_high(Type::figure_small, "launch 1").width;
  const Case cases[] = {{{0, 0, 0, 0}, {272 + 10, 208}},
                        {{279, 190, 190, 40}, {272 - 10 - width, 208}},
                        {{72, 198, 400, 210}, {272 + 10, 208 - 10 - 15.6f / 2}}};
  for (const auto& [taken, at] : cases) {
    const Words words = words_of(labelled(row, MemoryLevel::dram, {taken}).inside, "launch 1");
    EXPECT_NEAR(words.at.x, at.x, 0.01) << taken.x;
    EXPECT_NEAR(words.at.y, at.y, 0.01) << taken.x;
  }
}

TEST(RowLabels, AreWrittenAtTheChosenLevelAlone) {
  std::vector<ChartRow> rows{row_at(1, 1, 1e12)};
  EXPECT_THAT(texts(labelled(rows, MemoryLevel::l2).inside), IsEmpty());
  rows[0].dots.push_back({.level = MemoryLevel::l2, .intensity = 100, .share = {}, .bandwidth = {}});
  EXPECT_NEAR(words_of(labelled(rows, MemoryLevel::l2).inside, "launch 1").at.x, 382, 0.01);
}

TEST(RowLabels, ALaunchOutsideTheAxesIsNotNamedAtTheEdge) {
  for (const Emphasis emphasis : {Emphasis::plain, Emphasis::named}) {
    EXPECT_THAT(texts(labelled({row_at(1, 0.09, 1e12, emphasis), row_at(2, 1, 2e15, emphasis)}).inside),
                IsEmpty());
  }
}

TEST(RowLabels, CrowdedPinsAreLedToAndNoLeaderPassesALabelOrAnotherDot) {
  const std::vector<ChartRow> rows = rows_crowded(8, Emphasis::named);
  const ChartPicture picture = labelled(rows);
  EXPECT_THAT(texts(picture.inside), SizeIs(8));
  const auto leaders = marks<Stroke>(picture.inside);
  EXPECT_THAT(leaders, Not(IsEmpty()));
  for (const Words& words : marks<Words>(picture.inside)) {
    const Rect place = place_of(words, round_frame());
    EXPECT_TRUE(holds(picture.plot, place)) << words.text;
    for (const Stroke& leader : leaders) {
      const Rect inner{place.x + 1, place.y + 1, place.width - 2, place.height - 2};
      EXPECT_FALSE(overlap(inner, Bar{leader.from, leader.to})) << words.text;
    }
  }
}

TEST(RowLabels, CrowdedPlainOnesAreLeftOutRatherThanLedTo) {
  const ChartPicture picture = labelled(rows_crowded(20, Emphasis::plain));
  EXPECT_THAT(marks<Stroke>(picture.inside), IsEmpty());
  EXPECT_THAT(texts(picture.inside), SizeIs(testing::Le(6u)));
}

TEST(RowLabels, WithoutAnyRoomNothingIsWritten) {
  const Rect everything{72, 8, 400, 400};
  const ChartPicture picture = labelled(rows_apart(3, Emphasis::named), MemoryLevel::dram, {everything});
  EXPECT_THAT(texts(picture.inside), IsEmpty());
  EXPECT_THAT(marks<Stroke>(picture.inside), IsEmpty());
}

// The flag.

struct Flag {
  std::optional<Rect> box;
  std::vector<Words> words;
};

Flag flag_at(Spot spot, const std::vector<Rect>& taken = {}) {
  LabelRoom room(Rect{72, 8, 400, 400});
  for (const Rect& each : taken) {
    room.take(each);
  }
  Drawing drawing;
  lay_out_flag(drawing, room, spot, "tile 32", "9.30 TFLOP/s", round_frame());
  const auto boxes = marks<Box>(drawing);
  return {boxes.empty() ? std::nullopt : std::optional(boxes[0].place), marks<Words>(drawing)};
}

TEST(Flag, HoldsItsTwoWordsSideBySide) {
  const Flag flag = flag_at({272, 208});
  ASSERT_TRUE(flag.box);
  ASSERT_THAT(flag.words, SizeIs(2));
  const Rect first = place_of(flag.words[0], round_frame()), second = place_of(flag.words[1], round_frame());
  EXPECT_TRUE(holds(*flag.box, first));
  EXPECT_TRUE(holds(*flag.box, second));
  EXPECT_NEAR(second.x - first.right(), 10, 0.01);
}

TEST(Flag, StandsAboveItsDotThenBelowAndAlwaysInThePlot) {
  struct Case {
    Spot dot;
    bool above;
  };
  for (const auto& [dot, above] : {Case{{272, 208}, true},
                                   {{272, 9}, false},
                                   {{73, 208}, true},
                                   {{471, 208}, true},
                                   {{73, 9}, false},
                                   {{471, 407}, true}}) {
    const Flag flag = flag_at(dot);
    ASSERT_TRUE(flag.box) << dot.x << ", " << dot.y;
    EXPECT_EQ(flag.box->bottom() <= dot.y, above) << dot.x << ", " << dot.y;
    EXPECT_TRUE(holds({72, 8, 400, 400}, *flag.box));
    EXPECT_FALSE(holds(*flag.box, {dot.x, dot.y, 0, 0}));
  }
}

TEST(Flag, StandsBesideItsDotWhereAboveAndBelowAreTaken) {
  const Flag flag = flag_at({172, 208}, {{72, 8, 400, 190}, {72, 222, 400, 186}});
  EXPECT_FALSE(flag.box) << "24 px are too low for it";
  const Flag beside = flag_at({172, 208}, {{72, 8, 400, 180}, {72, 228, 400, 180}});
  ASSERT_TRUE(beside.box);
  EXPECT_NEAR(beside.box->x, 188, 0.01);
}

TEST(Flag, IsLeftOutWhereThereIsNoRoom) {
  const Flag flag = flag_at({272, 208}, {{72, 8, 400, 400}});
  EXPECT_FALSE(flag.box);
  EXPECT_THAT(flag.words, IsEmpty());
}

}  // namespace
}  // namespace rooftile::scene
