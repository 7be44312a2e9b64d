#include "analysis/model/banks.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <set>
#include <utility>

#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

// Byte addresses from the element index of each lane.
LaneAddresses addresses(int element_bytes, const std::function<int(int)>& index, int active_lanes = warp_size) {
  LaneAddresses result;
  for (int lane = 0; lane < active_lanes; ++lane) {
    result[lane] = std::int64_t{element_bytes} * index(lane);
  }
  return result;
}

BankPattern load(const LaneAddresses& addresses, int width_bytes) {
  return bank_pattern(addresses, width_bytes, false);
}

int wavefronts(int element_bytes, const std::function<int(int)>& index) {
  return load(addresses(element_bytes, index), element_bytes).wavefronts;
}

// The picture of an access must cost what the access costs.
TEST(Banks, WordsAreServedInAsManyWavefrontsAsThePatternHas) {
  for (const int width : {1, 2, 4, 8, 16}) {
    for (const int stride : {0, 1, 2, 3, 4, 8, 16, 17, 32, 33}) {
      for (const bool store : {false, true}) {
        const LaneAddresses lanes = addresses(width, [&](int lane) { return stride * lane; });
        int wavefronts = 0;
        std::set<std::pair<int, int>> served;
        for (const BankWord& word : bank_words(lanes, width, store)) {
          wavefronts = std::max(wavefronts, word.wavefront + 1);
          EXPECT_TRUE(served.emplace(word.bank, word.wavefront).second) << "a bank serves one word at a time";
          EXPECT_THAT(word.lanes, testing::Not(testing::IsEmpty()));
        }
        EXPECT_EQ(wavefronts, bank_pattern(lanes, width, store).wavefronts) << width << " B, stride " << stride;
      }
    }
  }
}

// Counted on an H200 with kernels of a single instruction; conflicts are what the hardware counts beyond the
// ideal.
TEST(Banks, WavefrontsAndConflictsAreAsCounted) {
  const struct {
    const char* access;
    int width_bytes;
    std::function<int(int)> element;  // in units of the width
    int active_lanes;
    int wavefronts;
    int conflicts;
  } rows[] = {
      {"LDS.32 stride 1", 4, [](int lane) { return lane; }, 32, 1, 0},
      {"LDS.32 stride 33", 4, [](int lane) { return 33 * lane; }, 32, 1, 0},
      {"LDS.32 2-way", 4, [](int lane) { return 2 * lane; }, 32, 2, 1},
      {"LDS.32 4-way", 4, [](int lane) { return 4 * lane; }, 32, 4, 3},
      {"LDS.32 32-way", 4, [](int lane) { return 32 * lane; }, 32, 32, 31},
      {"LDS.32 broadcast", 4, [](int) { return 7; }, 32, 1, 0},
      {"LDS.32 half warp", 4, [](int lane) { return lane; }, 16, 1, 0},
      {"LDS.64 stride 1", 8, [](int lane) { return lane; }, 32, 2, 0},
      {"LDS.128 stride 1", 16, [](int lane) { return lane; }, 32, 4, 0},
      {"LDS.128 broadcast", 16, [](int) { return 0; }, 32, 2, 0},
      {"LDS.128 stride 32 B", 16, [](int lane) { return 2 * lane; }, 32, 8, 4},
  };
  for (const auto& row : rows) {
    const BankPattern pattern =
        load(addresses(row.width_bytes, row.element, row.active_lanes), row.width_bytes);
    EXPECT_EQ(pattern.wavefronts, row.wavefronts) << row.access;
    EXPECT_EQ(pattern.wavefronts - pattern.ideal_wavefronts, row.conflicts) << row.access;
  }
}

// Lanes that read the same in pairs let a wide load take twice as many at once, if the whole warp does so.
// Counted on an H200 with kernels of a single instruction.
TEST(Banks, WideAccessesTakeTurnsAsCounted) {
  const struct {
    const char* access;
    std::function<int(int)> element;  // in units of the width
    int loads_16, stores_16, loads_8, stores_8;
  } rows[] = {
      {"stride 0", [](int) { return 0; }, 2, 4, 1, 2},
      {"stride 1", [](int lane) { return lane; }, 4, 4, 2, 2},
      {"stride 2", [](int lane) { return 2 * lane; }, 8, 8, 4, 4},
      {"stride 4", [](int lane) { return 4 * lane; }, 16, 16, 8, 8},
      {"stride 8", [](int lane) { return 8 * lane; }, 32, 32, 16, 16},
      {"stride 9", [](int lane) { return 9 * lane; }, 4, 4, 2, 2},
      {"stride 16", [](int lane) { return 16 * lane; }, 32, 32, 32, 32},
      {"modulo 2", [](int lane) { return lane % 2; }, 2, 4, 1, 2},
      {"modulo 4", [](int lane) { return lane % 4; }, 4, 4, 2, 2},
      {"modulo 16", [](int lane) { return lane % 16; }, 4, 4, 2, 2},
      {"modulo 8, rows of 128 B", [](int lane) { return lane % 8 * 8; }, 32, 32, 8, 8},
      {"halves, rows of 128 B", [](int lane) { return lane / 16 * 8; }, 2, 4, 1, 2},
      {"eighths, rows of 128 B", [](int lane) { return lane / 4 * 8; }, 8, 8, 4, 4},
      {"pairs by bit 0, rows of 128 B", [](int lane) { return (lane & ~1) * 8; }, 16, 16, 16, 16},
      {"pairs by bit 1, rows of 128 B", [](int lane) { return (lane & ~2) * 8; }, 16, 16, 8, 8},
      {"pairs by bit 2, rows of 128 B", [](int lane) { return (lane & ~4) * 8; }, 16, 16, 8, 8},
      {"pairs by bit 3, rows of 128 B", [](int lane) { return (lane & ~8) * 8; }, 32, 32, 8, 8},
      {"pairs by bit 4, rows of 128 B", [](int lane) { return (lane & ~16) * 8; }, 32, 32, 16, 16},
      {"pairs by bit 0, then by bit 1", [](int lane) { return lane < 16 ? lane / 2 : lane & ~2; }, 4, 4, 2, 2},
      {"pairs in one half only", [](int lane) { return lane < 16 ? lane / 2 : lane; }, 4, 4, 2, 2},
      {"pairs but for lane 5", [](int lane) { return lane == 5 ? 40 : lane / 2; }, 5, 5, 2, 2},
  };
  for (const auto& row : rows) {
    const LaneAddresses of_16 = addresses(16, row.element), of_8 = addresses(8, row.element);
    EXPECT_EQ(bank_pattern(of_16, 16, false).wavefronts, row.loads_16) << row.access;
    EXPECT_EQ(bank_pattern(of_16, 16, true).wavefronts, row.stores_16) << row.access;
    EXPECT_EQ(bank_pattern(of_8, 8, false).wavefronts, row.loads_8) << row.access;
    EXPECT_EQ(bank_pattern(of_8, 8, true).wavefronts, row.stores_8) << row.access;
  }
}

// The same with inactive lanes, which do not matter to a pair.
TEST(Banks, IdleLanesTakeNoTurn) {
  LaneAddresses even = addresses(16, [](int lane) { return lane / 2; });
  for (int lane = 1; lane < warp_size; lane += 2) {
    even[lane].reset();
  }
  EXPECT_EQ(bank_pattern(even, 16, false).wavefronts, 2);
  EXPECT_EQ(bank_pattern(even, 16, true).wavefronts, 4);
  const struct {
    int active_lanes, wavefronts_16, wavefronts_8;
  } rows[] = {{4, 1, 1}, {8, 1, 1}, {12, 2, 1}, {16, 2, 1}, {24, 3, 2}};
  for (const auto& row : rows) {
    const auto of = [&](int width) {
      return load(addresses(
                      width, [](int lane) { return lane; }, row.active_lanes),
                  width)
          .wavefronts;
    };
    EXPECT_EQ(of(16), row.wavefronts_16) << row.active_lanes;
    EXPECT_EQ(of(8), row.wavefronts_8) << row.active_lanes;
  }
}

// Drawn at random, and counted.
TEST(Banks, RandomLoadsOf16BytesAreAsCounted) {
  const struct {
    std::array<int, warp_size> element;
    int wavefronts;
  } rows[] = {
      {{6, 4, 2, 7, 2, 7, 7, 5, 7, 4, 4, 7, 6, 2, 1, 6, 2, 7, 5, 2, 1, 7, 4, 5, 1, 5, 0, 4, 5, 4, 7, 4}, 4},
      {{0,  6, 5, 14, 5,  7,  5,  1, 15, 7, 5,  1, 4,  3,  10, 5,
        15, 6, 1, 13, 14, 11, 12, 2, 6,  7, 11, 0, 11, 12, 8,  13},
       8},
      {{8, 8, 14, 14, 14, 14, 5, 5, 1, 1, 3, 3, 7, 7, 2, 2, 1, 1, 1, 1, 12, 12, 1, 1, 13, 13, 9, 9, 1, 1, 5, 5},
       3},
      {{25, 38, 25, 38, 46, 45, 46, 45, 63, 51, 63, 51, 18, 30, 18, 30,
        4,  12, 4,  12, 12, 36, 12, 36, 61, 60, 61, 60, 48, 1,  48, 1},
       7},
      {{7,  7, 15, 15, 9,  9, 8,  8, 10, 10, 13, 13, 4,  4,  9,  9,
        13, 6, 13, 6,  10, 2, 10, 2, 4,  2,  4,  2,  14, 12, 14, 12},
       7},
      {{38, 109, 57, 29,  21, 125, 54, 35, 96,  90, 60, 74, 85, 89, 98, 96,
        34, 91,  75, 110, 92, 9,   55, 46, 101, 16, 24, 9,  8,  47, 51, 50},
       12},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(wavefronts(16, [&](int lane) { return row.element[lane]; }), row.wavefronts);
  }
}

// Square tiles of T floats, padded by P: a block of 16 x 16 has two rows in a warp, one of 32 x 32 a single
// one.
TEST(Banks, TilesOfFloatsConflictAsTheTruthTableSays) {
  constexpr int k = 3;
  const struct {
    const char* access;
    std::function<int(int, int, int)> index;  // tx, ty, row stride
    int t16, t16_padded, t32, t32_padded;
  } rows[] = {
      {"store As[ty][tx]", [](int x, int y, int stride) { return y * stride + x; }, 1, 2, 1, 1},
      {"load As[ty][k]", [](int, int y, int stride) { return y * stride + k; }, 1, 1, 1, 1},
      {"load Bs[k][tx]", [](int x, int, int stride) { return k * stride + x; }, 1, 1, 1, 1},
      {"load t[tx][ty]", [](int x, int y, int stride) { return x * stride + y; }, 8, 2, 32, 1},
      {"load As[tx][k]", [](int x, int, int stride) { return x * stride + k; }, 8, 1, 32, 1},
  };
  for (const auto& row : rows) {
    const auto of_tile = [&](int tile, int padding) {
      return wavefronts(4, [&](int lane) { return row.index(lane % tile, lane / tile, tile + padding); });
    };
    EXPECT_EQ(of_tile(16, 0), row.t16) << row.access;
    EXPECT_EQ(of_tile(16, 1), row.t16_padded) << row.access;
    EXPECT_EQ(of_tile(32, 0), row.t32) << row.access;
    EXPECT_EQ(of_tile(32, 1), row.t32_padded) << row.access;
  }
}

// The worst column of tile[32][S]: padding by one element does not help elements smaller than a word.
TEST(Banks, AColumnConflictsByElementSize) {
  const auto worst_column = [](int element_bytes, int stride) {
    int ways = 0;
    for (int column = 0; column < 32; ++column) {
      const auto lanes = addresses(element_bytes, [&](int lane) { return lane * stride + column; });
      ways = std::max(ways, load(lanes, element_bytes).conflict_ways());
    }
    return ways;
  };
  const struct {
    int element_bytes, ways, ways_padded;
  } rows[] = {{1, 8, 2}, {2, 16, 2}, {4, 32, 1}, {8, 16, 1}};
  for (const auto& row : rows) {
    EXPECT_EQ(worst_column(row.element_bytes, 32), row.ways) << row.element_bytes << " B";
    EXPECT_EQ(worst_column(row.element_bytes, 33), row.ways_padded) << row.element_bytes << " B";
  }
}

TEST(Banks, LanesOfOneWordShareIt) {
  const BankPattern bytes = load(addresses(1, [](int lane) { return lane; }), 1);
  EXPECT_EQ(bytes.wavefronts, 1);
  EXPECT_EQ(std::accumulate(bytes.distinct_words_per_bank.begin(), bytes.distinct_words_per_bank.end(), 0), 8);
}

TEST(Banks, WordsAreCountedInTheirBankForTheWholeWarp) {
  const BankPattern column = load(addresses(4, [](int lane) { return 32 * lane + 5; }), 4);
  for (int bank = 0; bank < bank_count; ++bank) {
    EXPECT_EQ(column.distinct_words_per_bank[bank], bank == 5 ? 32 : 0) << bank;
  }
  const BankPattern vectors = load(addresses(16, [](int lane) { return lane; }), 16);
  for (int bank = 0; bank < bank_count; ++bank) {
    EXPECT_EQ(vectors.distinct_words_per_bank[bank], 4) << bank;
  }
}

TEST(Banks, AnIdleWarpCostsNothing) {
  const BankPattern idle = load(LaneAddresses{}, 4);
  EXPECT_EQ(idle.wavefronts, 0);
  EXPECT_EQ(idle.ideal_wavefronts, 0);
  EXPECT_EQ(idle.conflict_ways(), 0);
}

TEST(Banks, AddressesMayBeNegative) {
  EXPECT_EQ(wavefronts(4, [](int lane) { return -lane; }), 1);
  EXPECT_EQ(wavefronts(4, [](int lane) { return -32 * lane; }), 32);
}

TEST(Banks, OtherWidthsAreRefused) {
  for (const int width : {0, 3, 12, 32, -4}) {
    EXPECT_THROW(load(LaneAddresses{}, width), Error) << width;
  }
}

}  // namespace
}  // namespace rooftile
