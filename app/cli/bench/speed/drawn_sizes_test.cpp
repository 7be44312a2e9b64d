#include "app/cli/bench/speed/drawn_sizes.hpp"

#include <gmock/gmock.h>

namespace rooftile::cli {
namespace {

const std::vector<int> steps = {128, 8, 1};

bool are_multiples(const Parameters& sides, int step) {
  return std::ranges::all_of(sides, [&](const auto& side) { return std::fmod(side.second, step) == 0; });
}

TEST(DrawnSizes, ASeedDrawsTheSameSizesAndAnotherSeedOthers) {
  EXPECT_EQ(drawn_sizes(9, 7, steps), drawn_sizes(9, 7, steps));
  EXPECT_NE(drawn_sizes(9, 7, steps), drawn_sizes(9, 8, steps));
}

TEST(DrawnSizes, FewerSizesAreTheFirstOfMore) {
  const std::vector<Parameters> many = drawn_sizes(9, 7, steps);
  EXPECT_THAT(drawn_sizes(4, 7, steps), testing::ElementsAreArray(many.begin(), many.begin() + 4));
}

TEST(DrawnSizes, SquaresOf128AndSidesOf8AndRaggedOnesTakeTurns) {
  const std::vector<Parameters> sizes = drawn_sizes(30, 1, steps);
  int ragged = 0;
  for (std::size_t i = 0; i < sizes.size(); i += 3) {
    EXPECT_EQ(sizes[i].size(), 1u) << "N alone";
    EXPECT_TRUE(are_multiples(sizes[i], 128));
    EXPECT_EQ(sizes[i + 1].size(), 3u);
    EXPECT_TRUE(are_multiples(sizes[i + 1], 8));
    ragged += are_multiples(sizes[i + 2], 8) ? 0 : 1;
  }
  EXPECT_GE(ragged, 9);
}

TEST(DrawnSizes, NoSideIsOutsideOfTheRange) {
  for (const Parameters& sides : drawn_sizes(300, 3, steps)) {
    for (const auto& [name, side] : sides) {
      EXPECT_THAT(side, testing::AllOf(testing::Ge(least_drawn), testing::Le(largest_drawn))) << name;
    }
  }
}

}  // namespace
}  // namespace rooftile::cli
