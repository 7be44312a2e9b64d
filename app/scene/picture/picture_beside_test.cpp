// Diamonds beside dots, and a legend that stays within the plot.
#include "app/scene/picture/picture_beside.hpp"

#include <gmock/gmock.h>

#include "app/scene/picture/test_picture.hpp"

namespace rooftile::scene {
namespace {

// One launch, and the same one ten times slower elsewhere.
Chart compared_chart() {
  Chart chart = round_chart();
  chart.rows = {row_at(1, 10, 1e13, Emphasis::newest)};
  chart.beside = {{0, row_at(2, 10, 1e12, Emphasis::newest)}};
  chart.legend = {"NVIDIA H200: its roofs are drawn",
                  "NVIDIA H100 80GB HBM3 (of another session): 2.10 ms, 10.00x the time here"};
  return chart;
}

std::vector<Area> diamonds(const ChartPicture& picture) {
  auto areas = marks<Area>(picture.inside);
  std::erase_if(areas, [](const Area& area) {
    return area.corners.size() != 4 || area.corners[0].x != area.corners[2].x ||
           area.corners[1].y != area.corners[3].y;
  });
  return areas;
}

TEST(BesidePicture, TheOtherLaunchIsADiamondAtItsOwnPlaceThatCanBePressed) {
  const ChartPicture picture = roofline_picture(compared_chart(), round_axes, {}, round_frame());
  const auto other = std::ranges::find(picture.dots, 2u, &PlacedDot::launch);
  const auto own = std::ranges::find(picture.dots, 1u, &PlacedDot::launch);
  ASSERT_NE(other, picture.dots.end());
  EXPECT_NEAR(other->at.y, own->at.y + 100, 0.5) << "a decade below";
  EXPECT_TRUE(std::ranges::any_of(diamonds(picture), [&](const Area& area) {
    return std::abs(area.corners[0].x - other->at.x) < 0.5f && area.corners[0].y < other->at.y;
  }));
  EXPECT_EQ(diamonds(roofline_picture(round_chart(), round_axes, {}, round_frame())).size(), 0u);
}

TEST(BesidePicture, TheLegendStaysWithinEveryPlot) {
  for (const auto& [width, height] : {std::pair(484.0f, 462.0f), {300.0f, 300.0f}, {1200.0f, 800.0f}}) {
    const ChartFrame frame = frame_of(width, height);
    const ChartPicture picture = roofline_picture(compared_chart(), round_axes, {}, frame);
    int lines = 0;
    for (const Words& words : marks<Words>(picture.inside)) {
      if (words.text.starts_with("NVIDIA")) {
        ++lines;
        const Size size = frame.measure(words.type, words.text);
        EXPECT_TRUE(holds(picture.plot, {words.at.x, words.at.y - size.height / 2, size.width, size.height}))
            << words.text;
      }
    }
    EXPECT_EQ(lines, 2) << width;
  }
}

}  // namespace
}  // namespace rooftile::scene
