#include "app/scene/paper/label_room.hpp"

#include <gmock/gmock.h>

#include <array>

namespace rooftile::scene {
namespace {

constexpr Rect page{0, 0, 100, 100};

TEST(LabelRoom, TakesTheFirstPlaceThatIsFree) {
  LabelRoom room(page);
  room.take(Rect{0, 0, 50, 50});
  const std::array places = {Rect{40, 40, 20, 10}, Rect{60, 60, 20, 10}};
  EXPECT_EQ(room.place(places), places[1]);
  EXPECT_EQ(room.place(places), std::nullopt) << "both are taken now";
}

TEST(LabelRoom, NothingIsCutAtTheEdge) {
  LabelRoom room(page);
  EXPECT_EQ(room.place(std::array{Rect{90, 10, 20, 10}, Rect{-1, 10, 20, 10}, Rect{10, 95, 20, 10}}),
            std::nullopt);
  EXPECT_TRUE(room.place(std::array{Rect{80, 90, 20, 10}}));
}

TEST(LabelRoom, CrossesALineOnlyWhereNoOtherPlaceIsLeft) {
  LabelRoom room(page);
  room.avoid({{0, 50}, {100, 50}});
  const Rect on_line{10, 45, 20, 10}, beside{10, 60, 20, 10};
  EXPECT_EQ(room.place(std::array{on_line, beside}), beside);
  EXPECT_EQ(room.place(std::array{on_line, beside}), on_line);
}

TEST(LabelRoom, LabelsAlongRoofsStandBehindEachOther) {
  LabelRoom room(page);
  const Bar first{{10, 90}, {40, 60}, 5}, same{{12, 88}, {42, 58}, 5}, behind{{50, 50}, {80, 20}, 5};
  EXPECT_TRUE(room.place(std::array{first}));
  EXPECT_EQ(room.place(std::array{same, behind})->from, behind.from);
}

TEST(Overlap, OfARectAndATurnedLabel) {
  const Bar diagonal{{0, 0}, {100, 100}, 2};
  EXPECT_TRUE(overlap(Rect{45, 45, 10, 10}, diagonal));
  EXPECT_FALSE(overlap(Rect{60, 20, 10, 10}, diagonal)) << "within its extent, beside its line";
  EXPECT_TRUE(overlap(diagonal, Bar{{0, 100}, {100, 0}, 1})) << "crosses it";
  EXPECT_TRUE(overlap(diagonal, Bar{{3, 0}, {103, 100}, 1})) << "runs beside it";
  EXPECT_FALSE(overlap(diagonal, Bar{{9, 0}, {109, 100}, 1}));
}

TEST(Overlap, NeighboursThatTouchDoNot) {
  EXPECT_FALSE(overlap(Rect{0, 0, 10, 10}, Rect{10, 0, 10, 10}));
  EXPECT_TRUE(overlap(Rect{0, 0, 10, 10}, Rect{9, 9, 10, 10}));
}

TEST(Within, ALineIsCutAtTheEdges) {
  const auto seen = within(page, {{-50, 50}, {150, 50}});
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->from, (Spot{0, 50}));
  EXPECT_EQ(seen->to, (Spot{100, 50}));
  EXPECT_FALSE(within(page, {{-50, -10}, {150, -10}}));
}

TEST(Distance, IsToTheNearestPlaceOfTheLine) {
  EXPECT_FLOAT_EQ(distance({5, 3}, {0, 0}, {10, 0}), 3);
  EXPECT_FLOAT_EQ(distance({13, 4}, {0, 0}, {10, 0}), 5);
  EXPECT_FLOAT_EQ(distance({3, 4}, {0, 0}, {0, 0}), 5) << "a line without length";
}

}  // namespace
}  // namespace rooftile::scene
