// One SM to scale, and the curves of occupancy.
#include "app/scene/occupancy/occupancy_picture.hpp"

#include <gmock/gmock.h>

#include "app/scene/picture/test_picture.hpp"

namespace rooftile::scene {
namespace {

using testing::Contains;
using testing::Each;
using testing::IsEmpty;
using testing::SizeIs;

// The bar of the only row spans 100 px: 108 before it are its name, 30 behind its figure.
const ChartFrame narrow = frame_of(238, 19);

std::vector<Box> boxes_of(const SmResource& resource) {
  return marks<Box>(sm_picture({resource}, narrow).drawing);
}

SmResource resource(double used, double allocated, int blocks) {
  return {.label = "Registers",
          .figure = "6",
          .used = used,
          .allocated = allocated,
          .blocks = blocks,
          .binds = true,
          .facts = {}};
}

TEST(SmPicture, EachBlockHasItsPartInItsPlaceAndTheRestStaysEmpty) {
  const auto boxes = boxes_of(resource(0.15, 0.2, 4));
  ASSERT_THAT(boxes, SizeIs(1 + 2 * 4)) << "the bar, and for each block what it is given and what it uses";
  EXPECT_FLOAT_EQ(boxes[0].place.x, 108);
  EXPECT_FLOAT_EQ(boxes[0].place.width, 100);
  for (std::size_t i = 0; i < 4; ++i) {
    const Rect given = boxes[1 + 2 * i].place, used = boxes[2 + 2 * i].place;
    EXPECT_FLOAT_EQ(given.x, 108 + 20 * static_cast<float>(i));
    EXPECT_FLOAT_EQ(given.width, 19) << "a pixel between blocks";
    EXPECT_FLOAT_EQ(used.x, given.x);
    EXPECT_FLOAT_EQ(used.width, 15);
  }
  EXPECT_FLOAT_EQ(boxes.back().place.x, 168) << "from 188 on nothing is filled";
}

TEST(SmPicture, ABlockThatDoesNotFitIsShownAsFarAsTheSmReaches) {
  const auto boxes = boxes_of(resource(1.5, 1.5, 0));
  ASSERT_THAT(boxes, SizeIs(2));
  EXPECT_EQ(boxes[1].fill.colour, palette(Theme::dark).bad);
  EXPECT_FLOAT_EQ(boxes[1].place.width, 100);
}

TEST(SmPicture, RowsStandBelowEachOther) {
  const SmPicture picture = sm_picture({resource(0.1, 0.1, 1), resource(0.2, 0.2, 1)}, frame_of(300, 60));
  ASSERT_THAT(picture.rows, SizeIs(2));
  EXPECT_FLOAT_EQ(picture.rows[1].y, picture.rows[0].bottom());
}

// Two blocks up to 100 threads, one from there on.
OccupancyPlot plot() {
  return {.resource = BlockResource::registers,
          .present = 64,
          .here = "64: 2 blocks, 100 %",
          .neighbours = "101 or more: 1 block",
          .lines = {{.gpu = "H200 SXM", .steps = {{1, 2, 1.0}, {101, 1, 0.5}}, .last = 255}}};
}

TEST(CurvePicture, ALineGoesAlongItsStepsAndTheDotStandsOnIt) {
  const CurvePicture picture = curve_picture(plot(), frame_of(321, 168));
  const Rect& area = picture.plot;
  ASSERT_FLOAT_EQ(area.width, 255) << "a pixel for a register";
  const auto dots = marks<Disc>(picture.drawing);
  ASSERT_THAT(dots, SizeIs(1));
  EXPECT_EQ(dots[0].centre, (Spot{area.x + 64, area.y}));
  std::vector<Stroke> line;
  for (const Stroke& stroke : marks<Stroke>(picture.drawing)) {
    if (stroke.ink.colour == palette(Theme::dark).accent) {
      line.push_back(stroke);
    }
  }
  ASSERT_THAT(line, SizeIs(3));
  EXPECT_EQ(line[0].to, (Spot{area.x + 101, area.y}));
  EXPECT_EQ(line[1].to, (Spot{area.x + 101, area.y + area.height / 2})) << "the fall";
  EXPECT_EQ(line[2].to, (Spot{area.x + 255, area.y + area.height / 2}));
}

TEST(CurvePicture, WordsStayInsideAndOffEachOther) {
  for (const float width : {200.0f, 305.0f, 600.0f}) {
    for (const float scale : {1.0f, 2.0f}) {
      const ChartFrame frame = frame_of(width * scale, 166 * scale, scale);
      const CurvePicture picture = curve_picture(plot(), frame);
      expect_no_overlap_and_nothing_cut(
          {.plot = picture.plot, .around = picture.drawing, .inside = {}, .dots = {}, .roofs = {}}, frame);
    }
  }
}

TEST(CurvePicture, ThePointerReadsEveryGpu) {
  OccupancyPlot two = plot();
  two.lines.push_back({.gpu = "T4", .steps = {{1, 4, 1.0}}, .last = 128});
  const CurvePicture picture = curve_picture(two, frame_of(321, 168));
  EXPECT_THAT(
      facts_at(two, picture, picture.plot.x + 120),
      testing::ElementsAre("Registers per thread: 120", "H200 SXM: 1 block, 50 %", "T4: 4 blocks, 100 %"));
  EXPECT_THAT(facts_at(two, picture, picture.plot.x + 200), Contains("T4: more than a block may have"));
}

}  // namespace
}  // namespace rooftile::scene
