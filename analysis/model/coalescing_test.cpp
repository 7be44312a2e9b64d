#include "analysis/model/coalescing.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace rooftile {
namespace {

LaneAddresses lanes(std::int64_t stride, int active = warp_size, std::int64_t first = 0) {
  LaneAddresses addresses;
  for (int lane = 0; lane < active; ++lane) {
    addresses[static_cast<std::size_t>(lane)] = first + lane * stride;
  }
  return addresses;
}

TEST(Coalescing, CountsLinesAndSectorsThatLanesTouch) {
  const struct {
    const char* what;
    LaneAddresses addresses;
    int width, lines, sectors, partial;
    double cycles;
  } cases[] = {
      {"a float of each lane side by side", lanes(4), 4, 1, 4, 0, 1},
      {"16 bytes of each lane side by side", lanes(16), 16, 4, 16, 0, 4},
      {"one word for all lanes", lanes(0), 4, 1, 1, 1, 1},
      {"a row for each lane", lanes(4096), 4, 32, 32, 32, 32},
      {"a row of one float more for each lane", lanes(4100), 4, 32, 32, 32, 32 / 3.0},
      {"every other float", lanes(8), 4, 2, 8, 2, 2},
      {"floats that start in the middle of a sector", lanes(4, 32, 16), 4, 2, 5, 2, 1},
      {"rows of half a sector, eight to a line", lanes(16), 8, 4, 16, 4, 4},
      {"bytes side by side", lanes(1), 1, 1, 1, 0, 1},
      {"a float of half the lanes", lanes(4, 16), 4, 1, 2, 0, 1},
      {"no lane", lanes(4, 0), 4, 0, 0, 0, 0},
  };
  for (const auto& c : cases) {
    const Coalescing met = coalescing(c.addresses, c.width, false);
    EXPECT_EQ(met.lines, c.lines) << c.what;
    EXPECT_EQ(met.sectors, c.sectors) << c.what;
    EXPECT_EQ(met.partial_lines, c.partial) << c.what;
    EXPECT_DOUBLE_EQ(met.cycles, c.cycles) << c.what;
  }
}

TEST(Coalescing, DoesNotDependOnTheOrderOfLanes) {
  LaneAddresses reversed = lanes(36);
  std::ranges::reverse(reversed);
  EXPECT_EQ(coalescing(lanes(36), 4, false).lines, coalescing(reversed, 4, false).lines);
  EXPECT_EQ(coalescing(lanes(36), 4, false).partial_lines, coalescing(reversed, 4, false).partial_lines);
}

TEST(Coalescing, AnAtomicMovesASectorAsOftenAsLanesMeetOnOneWordOfIt) {
  EXPECT_EQ(atomic_sectors(lanes(4)), 4) << "no two meet";
  EXPECT_EQ(atomic_sectors(lanes(0)), 32);
  EXPECT_EQ(atomic_sectors(lanes(0, 3)), 3);
  LaneAddresses two = lanes(4);
  two[1] = two[0];
  EXPECT_EQ(atomic_sectors(two), 5) << "of the first sector one word twice, the others once";
  EXPECT_EQ(atomic_sectors(lanes(4, 0)), 0);
  EXPECT_EQ(lanes_of_one_word(two), 2);
  EXPECT_EQ(lanes_of_one_word(lanes(0, 3)), 3) << "idle lanes mean no word";
  EXPECT_EQ(lanes_of_one_word(lanes(4, 0)), 0);
}

}  // namespace
}  // namespace rooftile
