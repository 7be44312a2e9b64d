#include "analysis/chip/occupancy.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <sstream>

#include "analysis/platform/text_file.hpp"

namespace rooftile {
namespace {

struct Case {
  std::string name;
  SmLimits sm;
  BlockResources block;
  int blocks = 0;
  std::string warps;    // "32/48"
  std::string percent;  // "66.67"
  std::string limiters;
};

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> result;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');) {
    result.push_back(field);
  }
  return result;
}

Case parse_case(const std::string& line) {
  const auto field = fields(line);
  Case result{field.at(0), sm_limits(*compute_capability(field.at(1))).value(),
              {},          std::stoi(field.at(8)),
              field.at(9), field.at(10),
              field.at(11)};
  const int carveout = std::stoi(field.at(6));
  result.block = {std::stoi(field.at(2)), std::stoi(field.at(3)),
                  std::stoi(field.at(4)), std::stoi(field.at(5)),
                  std::stoi(field.at(7)), carveout < 0 ? std::nullopt : std::optional(carveout)};
  return result;
}

std::vector<Case> worked_cases() {
  std::istringstream file(
      platform::read_text(ROOFTILE_SOURCE_DIR "/analysis/fixtures/occupancy_cases.csv").value());
  std::string line;
  std::getline(file, line);  // the head
  std::vector<Case> cases;
  while (std::getline(file, line)) {
    cases.push_back(parse_case(line));
  }
  return cases;
}

std::string binding(const Occupancy& occupancy) {
  constexpr std::array<const char*, limiters.size()> names = {"warps", "regs", "smem", "blocks", "barriers"};
  std::string result;
  for (const BlockLimit& limit : occupancy.limits) {
    if (limit.binds) {
      result += (result.empty() ? "" : "+") + std::string(names[static_cast<std::size_t>(limit.limiter)]);
    }
  }
  return result;
}

std::string two_decimals(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

TEST(Occupancy, AllWorkedCasesPass) {
  const std::vector<Case> cases = worked_cases();
  EXPECT_EQ(cases.size(), 69U);
  for (const Case& each : cases) {
    SCOPED_TRACE(each.name);
    const Occupancy result = occupancy(each.block, each.sm);
    EXPECT_EQ(result.blocks, each.blocks);
    EXPECT_EQ(std::to_string(result.warps) + "/" + std::to_string(result.max_warps), each.warps);
    EXPECT_EQ(two_decimals(100 * result.ratio()), each.percent);
    EXPECT_EQ(binding(result), each.limiters);
  }
}

// The tiled GEMM with 32 x 32 threads on an H200, as the window shows it.
TEST(Occupancy, EveryLimitHasItsOwnCount) {
  const Occupancy result = occupancy({1024, 32, 8192, 0}, *sm_limits({9, 0}));
  const struct {
    Limiter limiter;
    std::string_view title;
    std::optional<int> blocks;
    bool binds;
    int used, allocated, capacity;
  } rows[] = {
      {Limiter::warps, "Warps", 2, true, 1024, 1024, 2048},
      {Limiter::registers, "Registers", 2, true, 32768, 32768, 65536},
      {Limiter::shared_memory, "Shared memory", 25, false, 8192, 9216, 233472},
      {Limiter::block_slots, "Block slots", 32, false, 1, 1, 32},
      {Limiter::barriers, "Barriers", 64, false, 1, 1, 64},
  };
  ASSERT_EQ(result.limits.size(), std::size(rows));
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    EXPECT_EQ(result.limits[i].limiter, rows[i].limiter);
    EXPECT_EQ(title(result.limits[i].limiter), rows[i].title);
    EXPECT_EQ(result.limits[i].blocks, rows[i].blocks) << rows[i].title;
    EXPECT_EQ(result.limits[i].binds, rows[i].binds) << rows[i].title;
    EXPECT_EQ(result.limits[i].used, rows[i].used) << rows[i].title;
    EXPECT_EQ(result.limits[i].allocated, rows[i].allocated) << rows[i].title;
    EXPECT_EQ(result.limits[i].capacity, rows[i].capacity) << rows[i].title;
  }
}

TEST(Occupancy, OddSizesAreRoundedUp) {
  const Occupancy result = occupancy({100, 33, 1000, 24}, *sm_limits({9, 0}));
  EXPECT_EQ(result.limits[0].allocated, 128) << "whole warps";
  EXPECT_EQ(result.limits[1].allocated, 4 * 1280) << "256 registers at a time to each of 4 warps";
  EXPECT_EQ(result.limits[2].used, 1024);
  EXPECT_EQ(result.limits[2].allocated, 2048) << "and 1 KiB for the system";
}

TEST(Occupancy, WhatIsNotUsedDoesNotLimit) {
  const Occupancy result = occupancy({128, 0, 0, 0, 0}, *sm_limits({7, 0}));
  EXPECT_EQ(result.limits[1].blocks, std::nullopt);
  EXPECT_EQ(result.limits[2].blocks, std::nullopt);
  EXPECT_EQ(result.limits[4].blocks, std::nullopt);
  EXPECT_EQ(result.blocks, 16);
}

TEST(Occupancy, ImpossibleBlocksDoNotFit) {
  const SmLimits sm = *sm_limits({9, 0});
  EXPECT_EQ(occupancy({1025, 16, 0, 0}, sm).blocks, 0);
  EXPECT_EQ(occupancy({0, 16, 0, 0}, sm).blocks, 0);
  EXPECT_EQ(occupancy({128, 256, 0, 0}, sm).blocks, 0);
  EXPECT_EQ(occupancy({128, 16, 0, 1 << 20}, sm).blocks, 0);
}

constexpr int largest = std::numeric_limits<int>::max(), smallest = std::numeric_limits<int>::min();
constexpr int extremes[] = {smallest, -1, 0, 1, largest};

void expect_sane_at_extremes(auto& varied, const BlockResources& block, const SmLimits& sm) {
  for (const int value : extremes) {
    varied = value;
    const Occupancy result = occupancy(block, sm);
    EXPECT_GE(result.blocks, 0) << value;
    EXPECT_GE(result.ratio(), 0) << value;
    EXPECT_LE(result.ratio(), 1) << value;
    next_cliff(block, sm);
  }
}

TEST(Occupancy, NoSizeOfABlockGivesMoreThanAnSmHolds) {
  const SmLimits sm = *sm_limits({9, 0});
  for (const BlockResources& start : {BlockResources{256, 32, 1024, 1024},
                                      BlockResources{largest, largest, largest, largest, largest, largest}}) {
    BlockResources block = start;
    for (int* size : {&block.threads, &block.registers_per_thread, &block.static_shared_bytes,
                      &block.dynamic_shared_bytes, &block.named_barriers, &block.carveout_percent.emplace(0)}) {
      const int kept = *size;
      expect_sane_at_extremes(*size, block, sm);
      *size = kept;
    }
  }
  EXPECT_EQ(occupancy({256, 32, largest, largest}, sm).blocks, 0) << "their sum is no int";
}

TEST(Occupancy, AnSmWithImpossibleLimitsHoldsNothingAndHasNoCliff) {
  const BlockResources block{256, 32, 1024, 1024};
  for (int SmLimits::*limit : {&SmLimits::warps, &SmLimits::blocks, &SmLimits::registers,
                               &SmLimits::sub_partitions, &SmLimits::shared_allocation_unit}) {
    for (const int value : {smallest, -1, 0, largest}) {
      SmLimits sm = *sm_limits({9, 0});
      sm.*limit = value;
      EXPECT_EQ(occupancy(block, sm).blocks, 0) << value;
      EXPECT_EQ(occupancy(block, sm).max_warps, 0) << value;
      EXPECT_FALSE(next_cliff(block, sm)) << value;
    }
  }
  EXPECT_EQ(occupancy(block, SmLimits{}).max_warps, 0);
}

TEST(Cliff, NamesTheNearestChangeOfTheBlockCount) {
  const struct {
    const char* what;
    ComputeCapability cc;
    BlockResources block;
    const char* expected;
  } rows[] = {
      {"H200, tile 32",
       {9, 0},
       {1024, 32, 8192, 0},
       "1 more register per thread: 2 -> 1 blocks, occupancy 100 % -> 50 %"},
      {"one register too many",
       {9, 0},
       {1024, 33, 8192, 0},
       "1 fewer register per thread: 1 -> 2 blocks, occupancy 50 % -> 100 %"},
      {"A100, tile 32, 30 registers",
       {8, 0},
       {1024, 30, 8192, 0},
       "3 more registers per thread: 2 -> 1 blocks, occupancy 100 % -> 50 %"},
      {"113 KB fit twice",
       {9, 0},
       {256, 96, 0, 115712},
       "1 more byte of shared memory per block: 2 -> 1 blocks, occupancy 25 % -> 12.5 %"},
      {"1 B too much",
       {9, 0},
       {256, 96, 0, 115713},
       "1 fewer byte of shared memory per block: 1 -> 2 blocks, occupancy 12.5 % -> 25 %"},
      {"an allocation unit begun",
       {9, 0},
       {64, 32, 8220, 0},
       "28 fewer bytes of shared memory per block: 24 -> 25 blocks, occupancy 75 % -> 78.1 %"},
      {"launches no more",
       {9, 0},
       {1024, 64, 0, 0},
       "1 more register per thread: 1 -> 0 blocks, occupancy 50 % -> 0 %"},
  };
  for (const auto& row : rows) {
    const auto cliff = next_cliff(row.block, *sm_limits(row.cc));
    ASSERT_TRUE(cliff) << row.what;
    EXPECT_EQ(text(*cliff), row.expected) << row.what;
  }
}

TEST(Cliff, ItsStepIsTheSmallestThatChangesAnything) {
  const SmLimits sm = *sm_limits({8, 9});
  for (const BlockResources block : {BlockResources{256, 40, 2048, 0}, BlockResources{96, 70, 5000, 1000},
                                     BlockResources{640, 20, 100, 30000}}) {
    const Cliff cliff = next_cliff(block, sm).value();
    const int before = occupancy(block, sm).blocks;
    const auto blocks_after = [&](int step) {
      BlockResources changed = block;
      (cliff.limiter == Limiter::registers ? changed.registers_per_thread : changed.dynamic_shared_bytes) +=
          step;
      return occupancy(changed, sm).blocks;
    };
    EXPECT_EQ(blocks_after(cliff.step), cliff.blocks_after);
    EXPECT_NE(cliff.blocks_after, before);
    EXPECT_EQ(blocks_after(cliff.step - (cliff.step > 0 ? 1 : -1)), before);
  }
}

// The values that a session file may hold: the ends of the ranges in records.cpp, in every combination.
TEST(Occupancy, NoLegalRecordMakesItDivideByZeroOrOverflow) {
  SmLimits least = *sm_limits({9, 0});
  least.threads = least.warps = least.blocks = least.registers = least.sub_partitions = 1;
  least.shared_bytes = 1;
  least.shared_bytes_per_block_optin = least.shared_bytes_reserved = 0;
  least.shared_allocation_unit = 32;
  SmLimits most = least;
  most.threads = 65536, most.warps = 2048, most.blocks = 1024, most.registers = 1 << 24,
  most.sub_partitions = 16;
  most.shared_bytes = most.shared_bytes_per_block_optin = 1 << 24;
  most.shared_bytes_reserved = 1 << 20, most.shared_allocation_unit = 65536;
  for (const SmLimits& sm : {least, most}) {
    for (const int threads : {1, 1024, 1 << 30}) {
      for (const int registers : {0, 1, 255}) {
        for (const int shared : {0, 1 << 28}) {
          const BlockResources block{threads, registers, shared, 4 * shared};
          const Occupancy occupancy = rooftile::occupancy(block, sm);
          EXPECT_GE(occupancy.blocks, 0);
          EXPECT_LE(occupancy.blocks, sm.blocks);
          EXPECT_LE(occupancy.warps, sm.warps);
          EXPECT_TRUE(threads <= 1024 || occupancy.blocks == 0);
          next_cliff(block, sm);
        }
      }
    }
  }
}

// 164 KiB of an A100's SM are 82 B for each of 2,048 threads; the system keeps 1 KiB of every block.
TEST(MostSharedBytes, IsWhatIsLeftOfAnEqualShare) {
  const struct {
    ComputeCapability cc;
    int blocks, bytes;
  } rows[] = {{{8, 0}, 8, 78 * 256},  {{8, 0}, 2, 81 * 1024}, {{8, 0}, 1, 163 * 1024}, {{9, 0}, 1, 227 * 1024},
              {{8, 6}, 1, 99 * 1024}, {{7, 5}, 1, 64 * 1024}, {{7, 0}, 1, 96 * 1024}};
  for (const auto& row : rows) {
    const SmLimits sm = *sm_limits(row.cc);
    EXPECT_EQ(most_shared_bytes(row.blocks, sm), row.bytes) << text(row.cc);
    const auto blocks_with = [&](int bytes) {
      return occupancy({.threads = 32, .static_shared_bytes = bytes}, sm).blocks;
    };
    EXPECT_EQ(blocks_with(row.bytes), row.blocks) << text(row.cc);
    EXPECT_LT(blocks_with(row.bytes + 1), row.blocks) << text(row.cc);
  }
  EXPECT_EQ(most_shared_bytes(0, *sm_limits({8, 0})), std::nullopt);
}

}  // namespace
}  // namespace rooftile
