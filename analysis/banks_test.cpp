#include "analysis/banks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "analysis/error.hpp"

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

int wavefronts(int element_bytes, const std::function<int(int)>& index) {
  return bank_pattern(addresses(element_bytes, index), element_bytes).wavefronts;
}

// Measured on an H200 with single-instruction kernels; conflicts are what the hardware counts beyond the ideal.
TEST(Banks, wavefronts_and_conflicts_are_as_measured) {
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
      {"STS.32 stride 1", 4, [](int lane) { return lane; }, 32, 1, 0},
      {"STS.32 2-way", 4, [](int lane) { return 2 * lane; }, 32, 2, 1},
      {"STS.32 32-way", 4, [](int lane) { return 32 * lane; }, 32, 32, 31},
      {"STS.128 stride 1", 16, [](int lane) { return lane; }, 32, 4, 0},
  };
  for (const auto& row : rows) {
    const BankPattern pattern =
        bank_pattern(addresses(row.width_bytes, row.element, row.active_lanes), row.width_bytes);
    EXPECT_EQ(pattern.wavefronts, row.wavefronts) << row.access;
    EXPECT_EQ(pattern.wavefronts - pattern.ideal_wavefronts, row.conflicts) << row.access;
  }
}

// Square tiles of T floats, padded by P: a block of 16 x 16 has two rows in a warp, one of 32 x 32 a single
// one.
TEST(Banks, tiles_of_floats_conflict_as_the_truth_table_says) {
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
TEST(Banks, a_column_conflicts_by_element_size) {
  const auto worst_column = [](int element_bytes, int stride) {
    int ways = 0;
    for (int column = 0; column < 32; ++column) {
      const auto lanes = addresses(element_bytes, [&](int lane) { return lane * stride + column; });
      ways = std::max(ways, bank_pattern(lanes, element_bytes).conflict_ways());
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

TEST(Banks, lanes_of_one_word_share_it) {
  const BankPattern bytes = bank_pattern(addresses(1, [](int lane) { return lane; }), 1);
  EXPECT_EQ(bytes.wavefronts, 1);
  EXPECT_EQ(std::accumulate(bytes.distinct_words_per_bank.begin(), bytes.distinct_words_per_bank.end(), 0), 8);
}

TEST(Banks, words_are_counted_in_their_bank_for_the_whole_warp) {
  const BankPattern column = bank_pattern(addresses(4, [](int lane) { return 32 * lane + 5; }), 4);
  for (int bank = 0; bank < bank_count; ++bank) {
    EXPECT_EQ(column.distinct_words_per_bank[bank], bank == 5 ? 32 : 0) << bank;
  }
  const BankPattern vectors = bank_pattern(addresses(16, [](int lane) { return lane; }), 16);
  for (int bank = 0; bank < bank_count; ++bank) {
    EXPECT_EQ(vectors.distinct_words_per_bank[bank], 4) << bank;
  }
}

TEST(Banks, an_idle_warp_costs_nothing) {
  const BankPattern idle = bank_pattern(LaneAddresses{}, 4);
  EXPECT_EQ(idle.wavefronts, 0);
  EXPECT_EQ(idle.ideal_wavefronts, 0);
  EXPECT_EQ(idle.conflict_ways(), 0);
}

TEST(Banks, addresses_may_be_negative) {
  EXPECT_EQ(wavefronts(4, [](int lane) { return -lane; }), 1);
  EXPECT_EQ(wavefronts(4, [](int lane) { return -32 * lane; }), 32);
}

TEST(Banks, other_widths_are_refused) {
  for (const int width : {0, 3, 12, 32, -4}) {
    EXPECT_THROW(bank_pattern(LaneAddresses{}, width), Error) << width;
  }
}

}  // namespace
}  // namespace rooftile
