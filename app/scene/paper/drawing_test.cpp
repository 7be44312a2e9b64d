#include "app/scene/paper/drawing.hpp"

#include <gmock/gmock.h>

#include <numbers>

namespace rooftile::scene {
namespace {

// Every letter is 10 wide and 20 high.
Size ten_a_letter(Type, std::string_view text) {
  return {10.0f * static_cast<float>(text.size()), 20};
}

TEST(Words, StandAtTheEndTheirAnchorNames) {
  const auto left_of = [](Anchor anchor) {
    return corners_of({{100, 50}, "four", Type::small, {}, anchor}, ten_a_letter)[0].x;
  };
  EXPECT_FLOAT_EQ(left_of(Anchor::start), 100);
  EXPECT_FLOAT_EQ(left_of(Anchor::middle), 80);
  EXPECT_FLOAT_EQ(left_of(Anchor::end), 60);
}

TEST(Words, TurnAboutTheirPlace) {
  const auto corners = corners_of(
      {{100, 50}, "four", Type::small, {}, Anchor::start, -std::numbers::pi_v<float> / 2}, ten_a_letter);
  EXPECT_NEAR(corners[0].x, 90, 1e-3) << "their top is on the left now";
  EXPECT_NEAR(corners[1].y, 10, 1e-3) << "and they run upwards";
}

TEST(Words, AreShortenedToTheirRoom) {
  const auto fitted = [](float width) { return shortened("tile 32", Type::small, width, ten_a_letter); };
  EXPECT_EQ(fitted(70), "tile 32");
  EXPECT_EQ(fitted(60), "til\u2026") << "the ellipsis has three bytes here";
  EXPECT_EQ(shortened("\u00b5\u00b5\u00b5", Type::small, 55, ten_a_letter), "\u00b5\u2026")
      << "no half letters";
}

}  // namespace
}  // namespace rooftile::scene
