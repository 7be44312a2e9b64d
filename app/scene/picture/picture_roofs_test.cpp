// Roofs, their names and the ridge, where a decade is 100 px.
#include "app/scene/picture/picture_roofs.hpp"

#include <gmock/gmock.h>

#include <numbers>

#include "app/scene/picture/test_picture.hpp"

namespace rooftile::scene {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::UnorderedElementsAre;

// The roofs alone, with their names; `taken` is where something stands already.
ChartPicture roofs_picture(const Chart& chart, const ChartFrame& frame = round_frame(),
                           const std::vector<Rect>& taken = {}) {
  ChartPicture picture;
  picture.plot = roofline_plot(frame);
  LabelRoom room(picture.plot);
  for (const Rect& each : taken) {
    room.take(each);
  }
  lay_out_roofs(picture, room, chart, round_axes, frame);
  label_roofs(picture, room, chart, round_axes, frame);
  return picture;
}

Chart with_roofs(std::vector<RoofLine> roofs, double peak = 0) {
  Chart chart;
  chart.roofs = std::move(roofs);
  chart.peak = peak;
  return chart;
}

void expect_line(const Bar& line, Spot from, Spot to) {
  EXPECT_NEAR(line.from.x, from.x, 0.01);
  EXPECT_NEAR(line.from.y, from.y, 0.01);
  EXPECT_NEAR(line.to.x, to.x, 0.01);
  EXPECT_NEAR(line.to.y, to.y, 0.01);
}

TEST(PictureRoofs, MemoryRoofsRiseToTheComputeRoofWhichRunsFromTheFirstRidge) {
  const ChartPicture picture = roofs_picture(round_chart());
  ASSERT_THAT(picture.roofs, SizeIs(3));
  expect_line(picture.roofs[0].line, {72, 408}, {372, 108});
  expect_line(picture.roofs[1].line, {72, 308}, {272, 108});
  expect_line(picture.roofs[2].line, {272, 108}, {472, 108});
  for (std::uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(picture.roofs[i].roof, i);
  }
}

TEST(PictureRoofs, ALowerComputeRoofStartsAtItsOwnRidgeAndTheHighestCutsTheMemory) {
  const ChartPicture picture = roofs_picture(
      with_roofs({memory_roof(MemoryLevel::dram, 1e13), compute_roof(1e13), compute_roof(1e15)}, 1e15));
  expect_line(picture.roofs[0].line, {72, 308}, {372, 8});
  expect_line(picture.roofs[1].line, {172, 208}, {472, 208});
  expect_line(picture.roofs[2].line, {372, 8}, {472, 8});
}

TEST(PictureRoofs, WithoutAComputeRoofMemoryRoofsRunToTheEdgeAndAreCutThere) {
  const ChartPicture picture =
      roofs_picture(with_roofs({memory_roof(MemoryLevel::dram, 1e12), memory_roof(MemoryLevel::l2, 1e13)}));
  expect_line(picture.roofs[1].line, {72, 308}, {472, -92});
  const auto strokes = marks<Stroke>(picture.inside);
  ASSERT_THAT(strokes, SizeIs(2)) << "and no ridge";
  EXPECT_NEAR(strokes[1].to.x, 372, 0.01);
  EXPECT_NEAR(strokes[1].to.y, 8, 0.01);
}

TEST(PictureRoofs, WithoutAMemoryRoofAComputeRoofIsNotLost) {
  const ChartPicture picture = roofs_picture(with_roofs({compute_roof(1e14)}, 1e14));
  EXPECT_THAT(picture.roofs, SizeIs(1));
  EXPECT_THAT(marks<Area>(picture.inside), IsEmpty());
}

TEST(PictureRoofs, TheRegionUnderDramEndsAtItsRidge) {
  const auto areas = marks<Area>(roofs_picture(round_chart()).inside);
  ASSERT_THAT(areas, SizeIs(1));
  EXPECT_EQ(areas[0].ink.colour, palette(Theme::dark).level(MemoryLevel::dram));
  ASSERT_THAT(areas[0].corners, SizeIs(4));
  for (const Spot corner : areas[0].corners) {
    EXPECT_LE(corner.x, 372.01f);
    EXPECT_LE(corner.y, 408.01f);
  }
  EXPECT_THAT(marks<Area>(roofs_picture(with_roofs({memory_roof(MemoryLevel::l2, 1e12)})).inside), IsEmpty());
}

TEST(PictureRoofs, TheRidgeStandsUnderTheMeetingOfDramAndCompute) {
  const ChartPicture picture = roofs_picture(round_chart());
  const auto strokes = marks<Stroke>(picture.inside);
  const auto ridge = std::ranges::find_if(strokes, [](const Stroke& line) { return line.from.x == line.to.x; });
  ASSERT_NE(ridge, strokes.end());
  EXPECT_NEAR(ridge->from.x, 372, 0.01);
  EXPECT_NEAR(ridge->from.y, 108, 0.01);
  EXPECT_NEAR(ridge->to.y, 408, 0.01);
  EXPECT_GT(ridge->dash, 0);
  EXPECT_FLOAT_EQ(words_of(picture.inside, "ridge").at.x, 379);
}

TEST(PictureRoofs, TheWordOfTheRidgeChangesSidesWhereItsRoomIsTaken) {
  const ChartFrame frame = round_frame();
  const Words ridge = words_of(roofs_picture(round_chart(), frame, {{373, 360, 90, 48}}).inside, "ridge");
  EXPECT_FLOAT_EQ(place_of(ridge, frame).right(), 365);
  EXPECT_THAT(texts(roofs_picture(round_chart(), frame, {{300, 360, 160, 48}}).inside), Not(Contains("ridge")));
}

TEST(PictureRoofs, OnesThatRunOnOneLineAreDashedAfterTheFirst) {
  struct Case {
    RoofLine first, second;
    bool dashed;
  };
  const Case cases[] = {{memory_roof(MemoryLevel::l1, 1e13), memory_roof(MemoryLevel::shared, 1e13), true},
                        {memory_roof(MemoryLevel::l1, 1e13), memory_roof(MemoryLevel::shared, 1.11e13), true},
                        {memory_roof(MemoryLevel::l1, 1.11e13), memory_roof(MemoryLevel::shared, 1e13), true},
                        {memory_roof(MemoryLevel::l1, 1e13), memory_roof(MemoryLevel::shared, 1.13e13), false},
                        {memory_roof(MemoryLevel::l1, 1e13), compute_roof(1e13), false},
                        {compute_roof(1e13), compute_roof(1.05e13), true}};
  for (const auto& [first, second, dashed] : cases) {
    const auto strokes = marks<Stroke>(roofs_picture(with_roofs({first, second}, 1e15)).inside);
    ASSERT_THAT(strokes, SizeIs(2));
    EXPECT_EQ(strokes[0].dash, 0);
    EXPECT_EQ(strokes[1].dash > 0, dashed) << first.height << ", " << second.height;
  }
}

TEST(PictureRoofs, ANameRunsAlongItsMemoryRoofAndAboveIt) {
  const ChartPicture picture = roofs_picture(round_chart());
  const Words name = words_of(picture.inside, "DRAM");
  EXPECT_NEAR(name.turn, -std::numbers::pi_v<float> / 4, 1e-3);
  const Bar& roof = picture.roofs[0].line;
  EXPECT_NEAR(distance(name.at, roof.from, roof.to), 12, 0.01);
  EXPECT_LT(name.at.y, 408 - (name.at.x - 72)) << "above the line";
}

TEST(PictureRoofs, ANameMovesOnWhereSomethingStands) {
  const float free = words_of(roofs_picture(round_chart()).inside, "DRAM").at.x;
  const ChartPicture crowded = roofs_picture(round_chart(), round_frame(), {{72, 300, 120, 108}});
  EXPECT_GT(words_of(crowded.inside, "DRAM").at.x, free + 50);
}

TEST(PictureRoofs, WithoutRoomAlongItsRoofANameStandsInTheCornerAboveAll) {
  const std::vector<Rect> roofs_are_covered = {{72, 108, 400, 300}};
  const ChartPicture crowded = roofs_picture(round_chart(), round_frame(), roofs_are_covered);
  for (const char* level : {"DRAM", "shared memory"}) {
    const Words name = words_of(crowded.inside, level);
    EXPECT_EQ(name.turn, 0) << level;
    EXPECT_LT(name.at.x, 100) << level;
    EXPECT_LT(name.at.y, 108) << level;
  }
}

TEST(PictureRoofs, TheNameOfAComputeRoofStandsAtItsRightEnd) {
  const ChartFrame frame = round_frame();
  const Rect above = place_of(words_of(roofs_picture(round_chart()).inside, fp32_pipe), frame);
  EXPECT_NEAR(above.right(), 472 - 16, 0.01);
  EXPECT_NEAR(above.bottom(), 108 - 4, 0.01);
  const Rect below =
      place_of(words_of(roofs_picture(round_chart(), frame, {{272, 60, 200, 44}}).inside, fp32_pipe), frame);
  EXPECT_NEAR(below.y, 108 + 4, 0.01);
}

TEST(PictureRoofs, OneOutOfSightHasNeitherLineNorName) {
  const ChartPicture picture = roofs_picture(with_roofs(
      {memory_roof(MemoryLevel::dram, 1e7), memory_roof(MemoryLevel::l2, 1e12), compute_roof(1e16)}, 1e16));
  EXPECT_THAT(texts(picture.inside), UnorderedElementsAre("L2"));
  EXPECT_THAT(marks<Stroke>(picture.inside), SizeIs(1));
}

TEST(PictureRoofs, WithoutRoomForItsNameALineStandsWithoutOne) {
  const ChartPicture picture = roofs_picture(round_chart(), frame_of(110, 90));
  EXPECT_THAT(texts(picture.inside), IsEmpty());
  EXPECT_THAT(picture.roofs, SizeIs(3));
}

TEST(PictureRoofs, NamesReadOnThePanelOfBothThemes) {
  for (const Theme theme : {Theme::dark, Theme::light}) {
    ChartFrame frame = frame_of(900, 600);
    frame.colours = &palette(theme);
    Chart chart = with_roofs({compute_roof(1e14)}, 1e14);
    double bandwidth = 1e11;
    for (const MemoryLevel level : memory_levels) {
      chart.roofs.push_back(memory_roof(level, bandwidth *= 3));
    }
    const auto names = marks<Words>(roofs_picture(chart, frame).inside);
    EXPECT_THAT(names, SizeIs(chart.roofs.size()));
    for (const Words& name : names) {
      EXPECT_GE(contrast(name.ink.colour, frame.colours->panel), text_contrast) << name.text;
    }
  }
}

}  // namespace
}  // namespace rooftile::scene
