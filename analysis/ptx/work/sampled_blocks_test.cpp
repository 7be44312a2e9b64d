#include "analysis/ptx/work/sampled_blocks.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace rooftile::ptx {
namespace {

using Work = std::function<double(Dim3)>;

double sampled(Dim3 grid, const Work& work, std::size_t* blocks = nullptr) {
  const auto difference = [&](Dim3 a, Dim3 b) {
    return work(a) == work(b) ? Difference::none : Difference::of_branches;
  };
  double sum = 0;
  const auto [first, middle, last] = telling_blocks(grid);
  const std::vector<SampledBlock> all =
      sampled_blocks(grid, work(first) > 2 * work(middle) ? first : middle, difference, 1000);
  for (const SampledBlock& block : all) {
    sum += block.weight * work(block.at);
  }
  if (blocks) {
    *blocks = all.size();
  }
  return sum;
}

double whole(Dim3 grid, const Work& work) {
  double sum = 0;
  for (int z = 0; z < grid.z; ++z) {
    for (int y = 0; y < grid.y; ++y) {
      for (int x = 0; x < grid.x; ++x) {
        sum += work({x, y, z});
      }
    }
  }
  return sum;
}

TEST(SampledBlocks, TheirWorkIsThatOfTheGrid) {
  const struct {
    const char* what;
    Dim3 grid;
    Work work;
    std::size_t most_blocks;
    double within;
  } rows[] = {
      {"all alike", {100, 50, 20}, [](Dim3) { return 7.0; }, 1, 0},
      {"the last column overhangs", {100, 50, 1}, [](Dim3 b) { return b.x == 99 ? 3.0 : 7.0; }, 3, 0},
      {"an edge around",
       {100, 50, 1},
       [](Dim3 b) { return (b.x % 99 == 0 ? 1.0 : 2.0) * (b.y % 49 == 0 ? 1.0 : 2.0); },
       9,
       0},
      {"a grid larger than its data",
       {1024, 1, 1},
       [](Dim3 b) { return b.x < 200    ? 7.0
                           : b.x == 200 ? 3.0
                                        : 0.0; },
       4,
       0.02},
      {"a grid a little larger", {1024, 1, 1}, [](Dim3 b) { return b.x < 900 ? 7.0 : 0.0; }, 4, 0},
      {"more than half of it idle", {1024, 8, 1}, [](Dim3 b) { return b.x < 300 ? 7.0 : 0.0; }, 4, 0},
      {"idle at both ends", {1000, 1, 1}, [](Dim3 b) { return b.x < 100 || b.x > 950 ? 0.0 : 2.0; }, 5, 0},
      {"a grid larger than its data along both axes",
       {64, 64, 1},
       [](Dim3 b) { return b.x < 20 && b.y < 30 ? 7.0 : 0.0; },
       16,
       0},
      {"grows evenly, an even grid", {16, 32, 1}, [](Dim3 b) { return 3.0 + b.x; }, 10, 1e-9},
      {"grows evenly, an odd grid", {17, 32, 1}, [](Dim3 b) { return 3.0 + b.x; }, 10, 1e-9},
      {"grows evenly along the last axis", {8, 1, 1000}, [](Dim3 b) { return 1.0 + b.z; }, 10, 1e-9},
      {"grows with the square", {1000, 1, 1}, [](Dim3 b) { return 1.0 * b.x * b.x; }, 10, 0.01},
      {"a triangle", {64, 64, 1}, [](Dim3 b) { return b.x <= b.y ? 1.0 : 0.0; }, 100, 0.15},
      {"rows that begin at each place of a sector",
       {4096, 1, 1},
       [](Dim3 b) { return b.x % 8 == 0 ? 4.0 : 5.0; },
       10,
       1e-3},
      {"rows at two places of a sector",
       {64, 64, 1},
       [](Dim3 b) { return b.y % 2 == 0 ? 4.0 : 5.0; },
       10,
       1e-9},
      {"one block", {1, 1, 1}, [](Dim3) { return 5.0; }, 1, 0},
      {"a few blocks", {5, 1, 1}, [](Dim3 b) { return 1.0 + b.x; }, 5, 1e-9},
  };
  for (const auto& row : rows) {
    std::size_t blocks = 0;
    const double expected = whole(row.grid, row.work);
    EXPECT_NEAR(sampled(row.grid, row.work, &blocks), expected, row.within * expected) << row.what;
    EXPECT_LE(blocks, row.most_blocks) << row.what;
  }
}

// Persistent blocks: the first ones take one tile more. Rows begin at two places of a sector.
TEST(SampledBlocks, PartsOfAnAxisCountWhereNeighboursAccessOtherwise) {
  const auto tiles = [](Dim3 b) { return b.x < 54 ? 6.0 : 5.0; };
  const auto difference = [&](Dim3 a, Dim3 b) {
    return tiles(a) != tiles(b) ? Difference::of_branches
           : a.x % 2 != b.x % 2 ? Difference::of_accesses
                                : Difference::none;
  };
  double all = 0, odd = 0;
  for (const SampledBlock& block : sampled_blocks({132, 1, 1}, {67, 0, 0}, difference, 1000)) {
    all += block.weight * tiles(block.at);
    odd += block.at.x % 2 * block.weight;
  }
  EXPECT_NEAR(all, 54 * 6 + 78 * 5, 1e-9);
  EXPECT_NEAR(odd, 66, 1);
}

TEST(SampledBlocks, TheirWeightsAddUpToTheGridHoweverFewMayBeTaken) {
  const auto all_differ = [](Dim3, Dim3) { return Difference::of_branches; };
  for (const double most : {0.01, 1.0, 3.0, 64.0, 1000.0}) {
    for (const Dim3 grid : {Dim3{1, 1, 1}, Dim3{8, 1, 1}, Dim3{1000, 1, 1}, Dim3{30, 7, 1}, Dim3{9, 10, 11}}) {
      double sum = 0;
      for (const SampledBlock& block : sampled_blocks(grid, telling_blocks(grid)[1], all_differ, most)) {
        sum += block.weight;
      }
      EXPECT_NEAR(sum, static_cast<double>(grid.count()), 1e-9 * sum) << most << ' ' << grid.x << ' ' << grid.y;
    }
  }
}

}  // namespace
}  // namespace rooftile::ptx
