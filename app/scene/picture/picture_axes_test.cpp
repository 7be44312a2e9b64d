// The grid and the words around a roofline, where a decade is 100 px.
#include "app/scene/picture/picture_axes.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "app/scene/picture/test_picture.hpp"

namespace rooftile::scene {
namespace {

using testing::ElementsAre;
using testing::EndsWith;

ChartPicture axes_picture(ChartKind kind, const Axes& axes, const ChartFrame& frame) {
  ChartPicture picture;
  picture.plot = roofline_plot(frame);
  lay_out_axes(picture, kind, axes, frame);
  return picture;
}

ChartPicture round_picture() {
  return axes_picture(ChartKind::roofline, round_axes, round_frame());
}

// The words at one side: the values of an axis, in the order of their drawing.
std::vector<std::string> values(const ChartPicture& picture, Anchor anchor) {
  std::vector<std::string> found;
  for (const Words& words : marks<Words>(picture.around)) {
    if (words.anchor == anchor && words.text.find('[') == std::string::npos) {
      found.push_back(words.text);
    }
  }
  return found;
}

TEST(RooflineScales, SetRoundNumbersAtRoundPlaces) {
  struct Case {
    double intensity, performance;
    Spot at;
  };
  constexpr Case cases[] = {{0.1, 1e11, {72, 408}},  {1, 1e12, {172, 308}},  {10, 1e13, {272, 208}},
                            {100, 1e11, {372, 408}}, {1000, 1e15, {472, 8}}, {0.01, 1e16, {-28, -92}}};
  const RooflineScales scales = scales_of(round_axes, roofline_plot(round_frame()));
  for (const auto& [intensity, performance, at] : cases) {
    EXPECT_NEAR(scales.at(intensity, performance).x, at.x, 0.01) << intensity;
    EXPECT_NEAR(scales.at(intensity, performance).y, at.y, 0.01) << performance;
  }
}

TEST(RooflinePlot, LeavesTheSameRoomForWordsAtEveryScaleAndIsNeverEmpty) {
  EXPECT_EQ(roofline_plot(round_frame()), (Rect{72, 8, 400, 400}));
  EXPECT_EQ(roofline_plot(frame_of(968, 924, 2)), (Rect{144, 16, 800, 800}));
  ChartFrame shifted = round_frame();
  shifted.place = {1000, 500, 484, 462};
  EXPECT_EQ(roofline_plot(shifted), (Rect{1072, 508, 400, 400}));
  EXPECT_EQ(roofline_plot(frame_of(10, 10)), (Rect{72, 8, 1, 1}));
}

TEST(PictureAxes, HaveAStrongLineAtEachDecadeAndEightFaintOnesBetween) {
  const std::vector<Stroke> lines = marks<Stroke>(round_picture().around);
  const auto count = [&](bool upright, bool strong) {
    return std::ranges::count_if(lines, [&](const Stroke& line) {
      return (line.from.x == line.to.x) == upright && (line.ink.alpha == 1) == strong;
    });
  };
  EXPECT_EQ(count(true, true), 5);
  EXPECT_EQ(count(false, true), 5);
  EXPECT_EQ(count(true, false), 4 * 8);
  EXPECT_EQ(count(false, false), 4 * 8);
}

TEST(PictureAxes, EveryLineCrossesTheWholePlotAndStaysInIt) {
  const ChartPicture picture =
      axes_picture(ChartKind::roofline, {0.037, 4321, 7.7e10, 2.3e14}, frame_of(900, 600));
  const Rect& plot = picture.plot;
  for (const Stroke& line : marks<Stroke>(picture.around)) {
    EXPECT_TRUE(holds(plot, {line.from.x, line.from.y, 0, 0})) << line.from.x << ", " << line.from.y;
    const bool upright = line.from.x == line.to.x;
    EXPECT_EQ(upright ? line.from.y : line.from.x, upright ? plot.y : plot.x);
    EXPECT_EQ(upright ? line.to.y : line.to.x, upright ? plot.bottom() : plot.right());
  }
}

TEST(PictureAxes, ValuesStandBesideTheirLines) {
  struct Case {
    const char* text;
    Anchor anchor;
    float at;  // along the axis
  };
  constexpr Case cases[] = {{"1", Anchor::middle, 172},   {"10", Anchor::middle, 272},
                            {"100", Anchor::middle, 372}, {"0.1", Anchor::end, 408},
                            {"1", Anchor::end, 308},      {"100", Anchor::end, 108}};
  const std::vector<Words> all = marks<Words>(round_picture().around);
  for (const auto& [text, anchor, at] : cases) {
    const auto words = std::ranges::find_if(
        all, [&](const Words& each) { return each.text == text && each.anchor == anchor; });
    ASSERT_NE(words, all.end()) << text;
    EXPECT_NEAR(anchor == Anchor::middle ? words->at.x : words->at.y, at, 0.01) << text;
  }
}

TEST(PictureAxes, PerformanceIsInTeraflopsAndInstructionsInBillions) {
  EXPECT_THAT(values(round_picture(), Anchor::end), ElementsAre("0.1", "1", "10", "100", "1000"));
  const ChartPicture instructions =
      axes_picture(ChartKind::instructions, {0.01, 100, 1e9, 1e13}, round_frame());
  EXPECT_THAT(values(instructions, Anchor::end), ElementsAre("1", "10", "100", "1000", "10000"));
  EXPECT_THAT(values(instructions, Anchor::middle), ElementsAre("0.01", "0.1", "1", "10", "100"));
}

TEST(PictureAxes, TitlesSayWhatIsCountedAndItsUnit) {
  const ChartFrame frame = frame_of(900, 600);
  const auto words = [&](ChartKind kind) { return texts(axes_picture(kind, round_axes, frame).around); };
  EXPECT_THAT(words(ChartKind::roofline),
              testing::IsSupersetOf({"Arithmetic intensity  [FLOP/byte]", "Performance  [TFLOP/s]"}));
  EXPECT_THAT(words(ChartKind::instructions),
              testing::IsSupersetOf({"Instruction intensity  [warp instructions per 32-byte transaction]",
                                     "Warp instructions  [billions/s]"}));
}

TEST(PictureAxes, ATitleIsShortenedToItsAxis) {
  const ChartFrame frame = frame_of(260, 170);
  const ChartPicture picture = axes_picture(ChartKind::instructions, round_axes, frame);
  for (const Words& words : marks<Words>(picture.around)) {
    const bool turned = words.turn != 0;
    EXPECT_LE(frame.measure(words.type, words.text).width, turned ? picture.plot.height : picture.plot.width);
  }
  EXPECT_THAT(texts(picture.around), testing::Contains(EndsWith("\u2026")).Times(2));
}

TEST(PictureAxes, NoValueIsCutOrStandsOnAnotherWhateverTheRange) {
  constexpr Axes ranges[] = {round_axes,
                             {0.04, 4000, 1e11, 1.5e14},
                             {1, 10, 1e12, 1e13},
                             {2.2, 8.9, 2.1e12, 8.8e12},
                             {1e-6, 1e6, 1e6, 1e17},
                             {0.0101, 99999, 1.01e9, 1.001e15}};
  for (const auto& [width, height] : {std::pair{484.0f, 462.0f}, {300.0f, 220.0f}, {1700.0f, 900.0f}}) {
    for (const Axes& axes : ranges) {
      SCOPED_TRACE(testing::Message() << width << " x " << height << ", x from " << axes.x_min);
      const ChartFrame frame = frame_of(width, height);
      expect_no_overlap_and_nothing_cut(axes_picture(ChartKind::roofline, axes, frame), frame);
    }
  }
}

}  // namespace
}  // namespace rooftile::scene
