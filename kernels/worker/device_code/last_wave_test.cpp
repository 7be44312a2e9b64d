// How kernels/multiply/last_wave.cuh cuts tiles, on the host.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace {

constexpr int SPLIT = 4;
struct {
  int x;
} threadIdx;
void sync_named(int, int) {}
using std::max, std::min;

#define __device__
#include "kernels/multiply/last_wave.cuh"
#undef __device__

struct Shared {
  Piece piece;
  int cluster;
};

std::map<int, std::vector<Shared>> pieces_by_tile(int tiles, int steps, int cost, int clusters) {
  std::map<int, std::vector<Shared>> all;
  for (int cluster = 0; cluster < clusters; ++cluster) {
    const Pieces pieces(tiles, steps, cost, cluster, clusters);
    for (int i = 0; i < pieces.count(); ++i) {
      all[pieces[i].tile].push_back({pieces[i], cluster});
    }
  }
  return all;
}

// The time of the slowest cluster, in steps. A piece takes its steps and its cost.
int longest(int tiles, int steps, int cost, int clusters) {
  int longest = 0;
  for (int cluster = 0; cluster < clusters; ++cluster) {
    const Pieces pieces(tiles, steps, cost, cluster, clusters);
    int all = 0;
    for (int i = 0; i < pieces.count(); ++i) {
      all += pieces[i].steps + cost;
    }
    longest = std::max(longest, all);
  }
  return longest;
}

int drawn(std::mt19937& random, int most) {
  return std::uniform_int_distribution<>(1, most)(random);
}

TEST(LastWave, EveryStepOfEveryTileIsMultipliedOnceAndWaitsOnlyForLowerClusters) {
  std::mt19937 random(1);
  for (int launch = 0; launch < 3000; ++launch) {
    const int tiles = drawn(random, 600), steps = drawn(random, 200), cost = 4 * drawn(random, 4),
              clusters = drawn(random, 264);
    const auto all = pieces_by_tile(tiles, steps, cost, clusters);
    ASSERT_EQ(all.size(), static_cast<std::size_t>(tiles));
    EXPECT_LE(longest(tiles, steps, cost, clusters), (tiles + clusters - 1) / clusters * (steps + cost) + cost);
    for (auto [tile, pieces] : all) {
      std::ranges::sort(pieces, {}, [](const Shared& each) { return each.piece.begin; });
      int at = 0, cluster = clusters;
      for (const Shared& each : pieces) {
        EXPECT_EQ(each.piece.begin, at);
        EXPECT_LT(each.cluster, cluster) << "of " << tiles << " tiles, " << steps << " steps, " << clusters;
        at += each.piece.steps;
        cluster = each.cluster;
        EXPECT_EQ(each.piece.behind, steps - at);
      }
      EXPECT_EQ(at, steps);
      EXPECT_LE(pieces.size(), SPLIT + 1U);
    }
  }
}

TEST(LastWave, TilesAreCutWhereThatTakesLessTime) {
  const struct {
    const char* what;
    int tiles, steps, clusters, longest;  // an uncut tile: its steps and 16
  } rows[] = {{"all clusters are busy", 132, 64, 132, 64 + 16},
              {"three of 66 are", 11 * 66 + 3, 108, 66, 11 * (108 + 16) + 27 + 16},
              {"more than half are", 5 * 66 + 39, 125, 66, 5 * (125 + 16) + 74 + 3 * 16},
              {"a tile is too short", 153, 17, 132, 2 * (17 + 16)},
              {"nearly all are", 512, 64, 132, 4 * (64 + 16)}};
  for (const auto& row : rows) {
    EXPECT_EQ(longest(row.tiles, row.steps, 16, row.clusters), row.longest) << row.what;
  }
}

}  // namespace
