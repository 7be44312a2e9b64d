// Each kind of mark, drawn by the pen of the window.
#include "app/window/charts/pen.hpp"

#include "app/window/kit/draw_test.hpp"

namespace rooftile::window {
namespace {

class PenTest : public DrawTest {
 protected:
  std::vector<ImDrawVert> drawn(const Mark& mark) {
    return corners([&] { window::draw(list(), {mark}); });
  }

  static Specks specks(std::size_t count, Evidence evidence) {
    Specks mark{.centres = {}, .radius = 2, .colour = red, .paper = paper, .alpha = 1, .evidence = evidence};
    for (std::size_t i = 0; i < count; ++i) {
      mark.centres.push_back({static_cast<float>(100 + i % 500), 100});
    }
    return mark;
  }
};

TEST_F(PenTest, EachMarkFillsItsPlaceInItsColour) {
  const std::pair<Mark, Rect> rows[] = {
      {Stroke{{100, 50}, {300, 90}, {red}}, {100, 50, 200, 40}},
      {Stroke{{100, 50}, {300, 50}, {red}, 2, 5}, {100, 50, 195, 0}},
      {Area{{{100, 100}, {180, 100}, {140, 160}}, {red}}, {100, 100, 80, 60}},
      {Box{{50, 60, 70, 80}, 0, {red}}, {50, 60, 70, 80}},
      {Box{{50, 60, 70, 80}, 8, {red}}, {50, 60, 70, 80}},
      {Disc{{200, 200}, 15, {red}}, {185, 185, 30, 30}},
      {Ring{{200, 200}, 15, {red}, 2}, {184, 184, 32, 32}},
      {PointMark{{200, 200}, 10, red, paper}, {190, 190, 20, 20}},
  };
  for (const auto& [mark, place] : rows) {
    const auto seen = drawn(mark);
    const Extent all = extent(seen);
    EXPECT_TRUE(has_ink(seen, ink(red))) << mark.index();
    EXPECT_NEAR(all.from.x, place.x, 3) << mark.index();
    EXPECT_NEAR(all.from.y, place.y, 3) << mark.index();
    EXPECT_NEAR(all.to.x, place.right(), 3) << mark.index();
    EXPECT_NEAR(all.to.y, place.bottom(), 3) << mark.index();
  }
}

TEST_F(PenTest, OnlyABoxWithAnEdgeHasItsInk) {
  Box box{{50, 60, 70, 80}, 4, {red}};
  EXPECT_FALSE(has_ink(drawn(box), ink(blue)));
  box.edge = Ink{blue};
  EXPECT_TRUE(has_ink(drawn(box), ink(blue)));
}

TEST_F(PenTest, AlphaReachesThePaper) {
  EXPECT_TRUE(has_ink(drawn(Disc{{200, 200}, 15, {red, 0.5f}}), ink(red, 0.5f)));
}

TEST_F(PenTest, WordsStandAtTheEndThatTheirAnchorNames) {
  constexpr std::pair<Anchor, float> rows[] = {{Anchor::start, 0}, {Anchor::middle, 0.5f}, {Anchor::end, 1}};
  const ImVec2 size = text_size(Type::body, "Roofline");
  for (const auto& [anchor, share] : rows) {
    const Extent all = extent(drawn(Words{{300, 200}, "Roofline", Type::body, {red}, anchor}));
    EXPECT_NEAR(all.from.x, 300 - share * size.x, 3);
    EXPECT_NEAR((all.from.y + all.to.y) / 2, 200, 4) << "at half the height of the words";
  }
}

TEST_F(PenTest, TurnedWordsEndWhereTheirAnchorSays) {
  constexpr float upwards = -1.5707963f;
  const float length = text_size(Type::body, "Roofline").x;
  for (const auto& [anchor, back] : {std::pair{Anchor::start, 0.0f}, {Anchor::end, length}}) {
    const Extent all = extent(drawn(Words{{300, 200}, "Roofline", Type::body, {red}, anchor, upwards}));
    EXPECT_NEAR(all.to.y, 200 + back, 3);
    EXPECT_NEAR((all.from.x + all.to.x) / 2, 300, 4);
  }
}

TEST_F(PenTest, ASpeckTakesFourCornersAndHasPaperInsideWhereNothingWasCounted) {
  constexpr std::pair<Evidence, std::size_t> rows[] = {
      {Evidence::counted, 4}, {Evidence::timed, 8}, {Evidence::predicted, 8}};
  for (const auto& [evidence, each] : rows) {
    const auto seen = drawn(specks(100, evidence));
    EXPECT_EQ(seen.size(), 100 * each);
    EXPECT_EQ(has_ink(seen, ink(paper)), each > 4);
  }
}

TEST_F(PenTest, NoSpeckOfManyThousandsIsLost) {
  for (const std::size_t count : {0u, 1u, 4096u, 4097u, 10000u}) {
    EXPECT_EQ(drawn(specks(count, Evidence::counted)).size(), 4 * count);
  }
}

TEST_F(PenTest, ASpeckIsRoundItsPlace) {
  const Extent all = extent(drawn(Specks{{{200, 150}}, 3, red, paper}));
  EXPECT_NEAR(all.from.x, 197, 0.1);
  EXPECT_NEAR(all.to.y, 153, 0.1);
}

TEST_F(PenTest, MarksAreDrawnInTheirOrder) {
  const auto seen = corners([&] {
    window::draw(list(), {Disc{{200, 200}, 15, {red}}, Disc{{200, 200}, 10, {blue}}});
  });
  EXPECT_EQ(seen.front().col, ink(red));
  EXPECT_EQ(seen.back().col & ~IM_COL32_A_MASK, ink(blue) & ~IM_COL32_A_MASK);
}

TEST_F(PenTest, TheRoomOfWordsIsThatOfTheWindowsFonts) {
  const Measure measure = window_measure();
  for (const Type type : {Type::small, Type::title, Type::figure}) {
    EXPECT_EQ(measure(type, "4.27 TB/s").width, text_size(type, "4.27 TB/s").x);
    EXPECT_EQ(measure(type, "4.27 TB/s").height, text_size(type, "4.27 TB/s").y);
  }
}

}  // namespace
}  // namespace rooftile::window
