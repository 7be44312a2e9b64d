// The places of the cells of a map, and what is written in and around them.
#include "app/scene/map/landscape_picture.hpp"

#include <gmock/gmock.h>

#include "app/scene/paper/heat.hpp"
#include "app/scene/picture/test_picture.hpp"

namespace rooftile::scene {
namespace {

using testing::Contains;
using testing::Not;
using testing::SizeIs;

// 2 rows, 3 columns: 1 to 5 ms, and one place that is not legal.
Landscape map_of_six() {
  Landscape map;
  map.across = {.parameter = "PAD", .label = "Padding [floats]", .values = {0, 1, 2}};
  map.down = {.parameter = "TILE", .label = "Tile", .values = {16, 32}};
  map.unit = "ms";
  map.less_is_better = true;
  map.lowest = 1;
  map.highest = 5;
  for (int i = 1; i <= 6; ++i) {
    MapCell cell;
    if (i < 6) {
      cell.launch = static_cast<std::uint64_t>(i);
      cell.value = i;
      cell.text = std::to_string(i) + ".00";
    } else {
      cell.why_not = "Too many threads.";
    }
    cell.best = i == 1;
    cell.present = i == 2;
    map.cells.push_back(cell);
  }
  return map;
}

TEST(MapPicture, CellsStandInRowsAndColumnsInTheColoursOfTheirValues) {
  const Landscape map = map_of_six();
  const MapPicture picture = landscape_picture(map, frame_of(500, 200));
  ASSERT_THAT(picture.cells, SizeIs(6));
  EXPECT_EQ(picture.cells[0].y, picture.cells[2].y);
  EXPECT_GT(picture.cells[1].x, picture.cells[0].right());
  EXPECT_GT(picture.cells[3].y, picture.cells[0].bottom());
  const auto boxes = marks<Box>(picture.drawing);
  const auto colour_at = [&](const Rect& place) {
    return std::ranges::find(boxes, place, &Box::place)->fill.colour;
  };
  EXPECT_EQ(colour_at(picture.cells[0]), viridis(1)) << "the fastest";
  EXPECT_EQ(colour_at(picture.cells[4]), viridis(0)) << "the slowest";
}

TEST(MapPicture, TheBestIsStarredAndAPlaceThatIsNotLegalIsHatched) {
  const MapPicture picture = landscape_picture(map_of_six(), frame_of(500, 200));
  EXPECT_THAT(texts(picture.drawing), Contains("1.00"));
  EXPECT_THAT(marks<Area>(picture.drawing), SizeIs(5)) << "the tips of one star";
  EXPECT_THAT(texts(picture.drawing), Not(Contains("6.00")));
  const Rect illegal = picture.cells[5];
  const auto hatches = marks<Stroke>(picture.drawing);
  EXPECT_GT(std::ranges::count_if(hatches,
                                  [&](const Stroke& line) {
                                    return holds(illegal, {line.from.x, line.from.y, 0, 0});
                                  }),
            5);
}

TEST(MapPicture, AnArrowLeadsFromThePresentCellToTheAdvisedOne) {
  Landscape map = map_of_six();
  const auto heads_in = [&](std::size_t cell) {
    const MapPicture picture = landscape_picture(map, frame_of(500, 200));
    const auto areas = marks<Area>(picture.drawing);
    return std::ranges::count_if(areas, [&](const Area& area) {
      const Spot tip = area.corners.front();
      return area.corners.size() == 3 && holds(picture.cells[cell], {tip.x, tip.y, 0, 0});
    });
  };
  EXPECT_EQ(heads_in(3), 0);
  map.advised = 3;
  EXPECT_GT(heads_in(3), 0);
  EXPECT_EQ(heads_in(1), 0);
}

TEST(MapPicture, WhatIsPredictedIsHollow) {
  Landscape map = map_of_six();
  map.cells[0].predicted = true;
  const auto boxes = marks<Box>(landscape_picture(map, frame_of(500, 200)).drawing);
  EXPECT_LT(boxes[0].fill.alpha, 0.2);
  EXPECT_EQ(boxes[0].edge->colour, viridis(1));
  EXPECT_EQ(boxes[1].fill.alpha, 1);
}

TEST(MapPicture, TheCellOfTheLaunchUnderThePointerIsOutlined) {
  const auto outlined = [](std::optional<std::uint64_t> pointed) {
    const MapPicture picture = landscape_picture(map_of_six(), frame_of(500, 200), pointed);
    return std::ranges::count_if(marks<Box>(picture.drawing), [&](const Box& box) {
      return box.edge && box.edge->colour == palette(Theme::dark).accent && box.place == picture.cells[2];
    });
  };
  EXPECT_EQ(outlined({}), 0);
  EXPECT_EQ(outlined(3), 1);
}

TEST(MapPicture, AWideOneHasASliceAndTheScale) {
  const auto discs = [](float width) {
    return marks<Disc>(landscape_picture(map_of_six(), frame_of(width, 200)).drawing).size();
  };
  EXPECT_EQ(discs(500), 0u);
  EXPECT_EQ(discs(900), 5u) << "a dot for each value";
}

TEST(MapPicture, WordsStayInsideAndOffEachOther) {
  for (const float width : {300.0f, 500.0f, 900.0f, 1400.0f}) {
    for (const float scale : {1.0f, 1.5f}) {
      const ChartFrame frame = frame_of(width * scale, 200 * scale, scale);
      const MapPicture picture = landscape_picture(map_of_six(), frame);
      expect_no_overlap_and_nothing_cut(
          {.plot = frame.place, .around = picture.drawing, .inside = {}, .dots = {}, .roofs = {}}, frame);
    }
  }
}

TEST(MapPicture, NothingMeasuredDrawsEmptyCells) {
  Landscape map = map_of_six();
  for (MapCell& cell : map.cells) {
    cell.value.reset();
    cell.launch.reset();
  }
  map.lowest.reset();
  map.highest.reset();
  EXPECT_THAT(landscape_picture(map, frame_of(900, 200)).cells, SizeIs(6));
}

}  // namespace
}  // namespace rooftile::scene
