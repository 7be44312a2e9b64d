#include "kernels/worker/measure/wrong_elements.hpp"

#include <gmock/gmock.h>

namespace rooftile::worker {
namespace {

using testing::Each;
using testing::ElementsAre;

TEST(WrongElementsTest, AShortResultHasACellForEachElement) {
  const WrongElements map = wrong_elements({0, 1, 0, 0, 1, 1, 0, 0}, 7, 4);  // the last row has 3
  EXPECT_THAT(map.cells, ElementsAre(".9..", "99.."));
  EXPECT_EQ(map.wrong, 3);
  EXPECT_EQ(map.elements, 7);
}

TEST(WrongElementsTest, ACellOfManySaysHowManyNinthsAreWrong) {
  std::vector<unsigned> in_cell(64 * 128, 0);
  in_cell[0] = 1;         // of 16 x 8
  in_cell[1] = 64;        // half
  in_cell[128] = 16 * 8;  // all
  const WrongElements map = wrong_elements(in_cell, 1024 * 1024, 1024);
  EXPECT_EQ(map.cells.size(), 64u);
  EXPECT_EQ(map.cells[0].substr(0, 3), "15.");
  EXPECT_EQ(map.cells[1].substr(0, 2), "9.");
  EXPECT_THAT(std::vector(map.cells.begin() + 2, map.cells.end()), Each(std::string(128, '.')));
}

// 100 rows on 64 cells: some stand for two rows, some for one.
TEST(WrongElementsTest, CellsOfUnequalSizeAreFullWhenAllOfTheirsAreWrong) {
  std::vector<unsigned> in_cell(64 * 3, 0);
  for (int row = 0; row < 100; ++row) {
    for (int column = 0; column < 3; ++column) {
      ++in_cell[static_cast<std::size_t>(row * 64 / 100 * 3 + column)];
    }
  }
  EXPECT_THAT(wrong_elements(in_cell, 300, 3).cells, Each("999"));
}

}  // namespace
}  // namespace rooftile::worker
