#include "app/scene/picture/svg_page.hpp"

#include <gmock/gmock.h>

#include <limits>
#include <numbers>

#include "analysis/text/error.hpp"

namespace rooftile::scene {
namespace {

using testing::HasSubstr;

constexpr Rgb red = rgb(0xff0000), white = rgb(0xffffff), grey = rgb(0x808080);

std::string drawn(const Mark& mark) {
  SvgPage page(100);
  page.draw(Drawing{mark});
  const std::string all = page.str(50);
  const std::size_t first = all.find('\n') + 1;
  return all.substr(first, all.rfind("</svg>") - first);
}

TEST(SvgPage, EachMarkIsOneElement) {
  const struct {
    Mark mark;
    const char* element;
  } rows[] = {
      {Stroke{{1, 2}, {3, 4}, {red}},
       R"(<line x1="1.0" y1="2.0" x2="3.0" y2="4.0" fill="none" stroke="#ff0000" stroke-opacity="1.00" )"
       R"(stroke-width="1.0"/>)"},
      {Stroke{{1, 2}, {3, 4}, {red, 0.5f}, 2, 4},
       R"(<line x1="1.0" y1="2.0" x2="3.0" y2="4.0" fill="none" stroke="#ff0000" stroke-opacity="0.50" )"
       R"(stroke-width="2.0" stroke-dasharray="4.0"/>)"},
      {Area{{{0, 0}, {2, 0}, {1, 2}}, {grey}},
       R"(<polygon points="0.0,0.0 2.0,0.0 1.0,2.0 " fill="#808080" fill-opacity="1.00"/>)"},
      {Box{{1, 2, 30, 40}, 5, {white}},
       R"(<rect x="1.0" y="2.0" width="30.0" height="40.0" rx="5.0" fill="#ffffff" fill-opacity="1.00"/>)"},
      {Box{{1, 2, 30, 40}, 5, {white}, Ink{red}},
       R"(<rect x="1.0" y="2.0" width="30.0" height="40.0" rx="5.0" fill="#ffffff" fill-opacity="1.00" )"
       R"(stroke="#ff0000"/>)"},
      {Disc{{9, 8}, 7, {red}}, R"(<circle cx="9.0" cy="8.0" r="7.0" fill="#ff0000" fill-opacity="1.00"/>)"},
      {Ring{{9, 8}, 7, {red}, 2},
       R"(<circle cx="9.0" cy="8.0" r="7.0" fill="none" stroke="#ff0000" stroke-opacity="1.00" )"
       R"(stroke-width="2.0"/>)"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(drawn(row.mark), std::string(row.element) + "\n");
  }
}

TEST(SvgPage, ALaunchIsFilledHalfFilledOrHollow) {
  const auto point = [](Evidence evidence) { return drawn(PointMark{{10, 10}, 5, red, white, 1, evidence}); };
  EXPECT_EQ(point(Evidence::counted),
            "<circle cx=\"10.0\" cy=\"10.0\" r=\"5.0\" fill=\"#ff0000\" fill-opacity=\"1.00\"/>\n");
  const std::string hollow = point(Evidence::predicted);
  EXPECT_EQ(hollow,
            "<circle cx=\"10.0\" cy=\"10.0\" r=\"4.2\" fill=\"none\" stroke=\"#ff0000\" "
            "stroke-opacity=\"1.00\" stroke-width=\"1.5\"/>\n");
  EXPECT_EQ(point(Evidence::timed), hollow +
                                        "<path d=\"M10.0 5.0a5.0 5.0 0 0 0 0 10.0z\" fill=\"#ff0000\" "
                                        "fill-opacity=\"1.00\"/>\n");
}

TEST(SvgPage, AFaintLaunchIsMixedWithItsPaperSoThatRoofsDoNotShineThrough) {
  EXPECT_THAT(drawn(PointMark{{10, 10}, 5, rgb(0), white, 0.5f, Evidence::counted}),
              testing::ContainsRegex("fill=\"#(7f7f7f|808080)\" fill-opacity=\"1.00\""));
}

TEST(SvgPage, ACrowdOfCountedLaunchesIsOnePath) {
  EXPECT_EQ(drawn(Specks{{{1, 2}, {3, 4}}, 1.5f, red, white, 0.25f, Evidence::counted}),
            "<path d=\"M1.0 2.0h0M3.0 4.0h0\" fill=\"none\" stroke=\"#ff0000\" stroke-opacity=\"0.25\" "
            "stroke-width=\"3.0\" stroke-linecap=\"round\"/>\n");
  const Specks predicted{{{1, 2}, {3, 4}}, 1.5f, red, white, 1, Evidence::predicted};
  EXPECT_EQ(drawn(predicted), drawn(PointMark{{1, 2}, 1.5f, red, white, 1, Evidence::predicted}) +
                                  drawn(PointMark{{3, 4}, 1.5f, red, white, 1, Evidence::predicted}));
}

TEST(SvgPage, WordsHaveFaceAnchorAndTurn) {
  const struct {
    Words words;
    const char* part;
  } rows[] = {
      {{{1, 2}, "a & b", Type::small, {red}}, ">a &amp; b</text>"},
      {{{1, 2}, "w", Type::heading, {red}}, "font-size=\"16\" font-weight=\"700\" font-family=\"Roboto"},
      {{{1, 2}, "w", Type::body, {red}}, "font-size=\"15\" font-weight=\"400\" font-family=\"Roboto"},
      {{{1, 2}, "w", Type::figure_small, {red}},
       "font-size=\"13\" font-weight=\"400\" font-family=\"Inconsolata"},
      {{{1, 2}, "w", Type::small, {red}, Anchor::start}, "text-anchor=\"start\">"},
      {{{1, 2}, "w", Type::small, {red}, Anchor::middle}, "text-anchor=\"middle\">"},
      {{{1, 2}, "w", Type::small, {red}, Anchor::end}, "text-anchor=\"end\">"},
      {{{1, 2}, "w", Type::small, {red}, Anchor::start, -std::numbers::pi_v<float> / 4},
       "transform=\"rotate(-45.00 1.0 2.0)\">w<"},
      {{{10, 20}, "w", Type::figure, {red}}, "<text x=\"10.0\" y=\"25.2\""},
  };
  for (const auto& row : rows) {
    EXPECT_THAT(drawn(row.words), HasSubstr(row.part));
  }
}

TEST(SvgPage, IsAsLargeAsItSays) {
  EXPECT_EQ(SvgPage(640).str(480),
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"480\" viewBox=\"0 0 640 480\" "
            "xml:space=\"preserve\">\n</svg>\n");
}

TEST(SvgPage, TheInsideOfEachChartIsCutOffAtItsOwnPlot) {
  ChartPicture picture;
  picture.plot = {5, 6, 70, 80};
  picture.around = {Disc{{1, 1}, 1, {red}}};
  picture.inside = {Disc{{2, 2}, 1, {red}}};
  SvgPage page(100);
  page.draw(picture);
  page.draw(picture);
  const std::string all = page.str(100);
  EXPECT_THAT(all, HasSubstr("cx=\"1.0\" cy=\"1.0\" r=\"1.0\" fill=\"#ff0000\" fill-opacity=\"1.00\"/>\n"
                             "<clipPath id=\"plot1\"><rect x=\"5.0\" y=\"6.0\" width=\"70.0\" height=\"80.0\"/>"
                             "</clipPath>\n<g clip-path=\"url(#plot1)\">\n<circle cx=\"2.0\""));
  EXPECT_THAT(all, HasSubstr("<g clip-path=\"url(#plot2)\">"));
}

TEST(SvgPage, WhatHasNoPlaceIsNotDrawn) {
  const float none = std::numeric_limits<float>::quiet_NaN(), far = std::numeric_limits<float>::infinity();
  for (const Mark& mark :
       {Mark(Stroke{{1, none}, {3, 4}, {red}}), Mark(Area{{{0, 0}, {far, 0}}, {red}}),
        Mark(Box{{1, 2, none, 4}, 0, {red}}), Mark(Disc{{none, 1}, 1, {red}}), Mark(Ring{{1, -far}, 1, {red}}),
        Mark(PointMark{{1, 1}, none, red, white}), Mark(Specks{{{1, 2}, {none, 4}}, 1, red, white}),
        Mark(Words{{none, 2}, "w", Type::small, {red}})}) {
    EXPECT_EQ(drawn(mark), "") << mark.index();
  }
  SvgPage page(10);
  page.explain({{none, 4}, 5}, "words");
  EXPECT_THAT(page.str(10), testing::Not(HasSubstr("words")));
}

TEST(SvgPage, ADotIsExplainedByAnUnseenOneOnIt) {
  SvgPage page(10);
  page.explain({{3, 4}, 5}, "a <b>\n2 % of its roof");
  EXPECT_THAT(page.str(10), HasSubstr("<circle cx=\"3.0\" cy=\"4.0\" r=\"5.0\" fill-opacity=\"0\">"
                                      "<title>a &lt;b&gt;\n2 % of its roof</title></circle>\n"));
}

TEST(SvgMeasure, CountsLettersNotBytesAndKnowsTheFaces) {
  const Measure measure = svg_measure();
  EXPECT_EQ(measure(Type::small, "").width, 0);
  EXPECT_EQ(measure(Type::small, "\xc2\xb5s").width, measure(Type::small, "us").width);
  EXPECT_FLOAT_EQ(measure(Type::figure_small, "1234").width, 4 * 13 * 0.602f);
  EXPECT_GT(measure(Type::heading, "wide").width, measure(Type::small, "wide").width);
  EXPECT_FLOAT_EQ(measure(Type::title, "any").height, 25);
}

}  // namespace
}  // namespace rooftile::scene
