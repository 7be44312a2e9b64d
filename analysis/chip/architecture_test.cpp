#include "analysis/chip/architecture.hpp"

#include <gmock/gmock.h>

namespace rooftile {
namespace {

TEST(ComputeCapability, IsReadAsPeopleAndCompilersWriteIt) {
  const struct {
    std::string_view written;
    std::optional<ComputeCapability> expected;
  } rows[] = {
      {"9.0", ComputeCapability{9, 0}},
      {"12.1", ComputeCapability{12, 1}},
      {"sm_90", ComputeCapability{9, 0}},
      {"sm_90a", ComputeCapability{9, 0}},
      {"sm_100f", ComputeCapability{10, 0}},
      {"sm_120", ComputeCapability{12, 0}},
      {"", std::nullopt},
      {"9", std::nullopt},
      {".", std::nullopt},
      {"9.", std::nullopt},
      {"9.0.1", std::nullopt},
      {"-9.0", std::nullopt},
      {"sm_", std::nullopt},
      {"sm_9", std::nullopt},
      {"sm_ab", std::nullopt},
      {"hopper", std::nullopt},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(compute_capability(row.written), row.expected) << row.written;
  }
  EXPECT_EQ(text(ComputeCapability{12, 1}), "12.1");
  EXPECT_LT((ComputeCapability{9, 0}), (ComputeCapability{10, 0}));
}

TEST(SmLimits, AreThoseOfTheProgrammingGuide) {
  const struct {
    ComputeCapability cc;
    int threads, warps, blocks, shared_kib, optin_kib, reserved, unit, barriers, sub_partitions;
    std::size_t carveouts;
  } rows[] = {
      {{6, 0}, 2048, 64, 32, 64, 48, 0, 256, 0, 2, 1},
      {{7, 0}, 2048, 64, 32, 96, 96, 0, 256, 0, 4, 6},
      {{7, 5}, 1024, 32, 16, 64, 64, 0, 256, 0, 4, 2},
      {{8, 0}, 2048, 64, 32, 164, 163, 1024, 128, 0, 4, 8},
      {{8, 6}, 1536, 48, 16, 100, 99, 1024, 128, 0, 4, 6},
      {{8, 7}, 1536, 48, 16, 164, 163, 1024, 128, 0, 4, 8},
      {{8, 9}, 1536, 48, 24, 100, 99, 1024, 128, 0, 4, 6},
      {{9, 0}, 2048, 64, 32, 228, 227, 1024, 128, 64, 4, 10},
      {{10, 0}, 2048, 64, 32, 228, 227, 1024, 128, 64, 4, 10},
      {{10, 3}, 2048, 64, 32, 228, 227, 1024, 128, 64, 4, 10},
      {{11, 0}, 1536, 48, 24, 228, 227, 1024, 128, 24, 4, 10},
      {{12, 0}, 1536, 48, 24, 100, 99, 1024, 128, 24, 4, 6},
      {{12, 1}, 1536, 48, 24, 100, 99, 1024, 128, 24, 4, 6},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(text(row.cc));
    const auto sm = sm_limits(row.cc);
    ASSERT_TRUE(sm);
    EXPECT_EQ(sm->threads, row.threads);
    EXPECT_EQ(sm->warps, row.warps);
    EXPECT_EQ(sm->blocks, row.blocks);
    EXPECT_EQ(sm->registers, 65536);
    EXPECT_EQ(sm->shared_bytes, row.shared_kib * 1024);
    EXPECT_EQ(sm->shared_bytes_per_block, 48 * 1024);
    EXPECT_EQ(sm->shared_bytes_per_block_optin, row.optin_kib * 1024);
    EXPECT_EQ(sm->shared_bytes_reserved, row.reserved);
    EXPECT_EQ(sm->shared_allocation_unit, row.unit);
    EXPECT_EQ(sm->named_barriers, row.barriers);
    EXPECT_EQ(sm->sub_partitions, row.sub_partitions);
    EXPECT_EQ(sm->carveouts.size(), row.carveouts);
    EXPECT_EQ(sm->carveouts.back(), sm->shared_bytes);
  }
  EXPECT_FALSE(sm_limits({13, 0}));
}

TEST(Architecture, TheTableIsAscending) {
  EXPECT_TRUE(std::ranges::is_sorted(architectures(), std::ranges::less{}, &Architecture::cc));
}

TEST(Architecture, OneThatNobodyDescribedIsTakenForTheNewestBeforeIt) {
  const struct {
    ComputeCapability cc, taken;
  } rows[] = {{{9, 0}, {9, 0}}, {{9, 9}, {9, 0}}, {{10, 1}, {10, 0}}, {{99, 0}, {12, 1}}, {{3, 5}, {6, 0}}};
  for (const auto& row : rows) {
    EXPECT_EQ(closest_architecture(row.cc).cc, row.taken) << text(row.cc);
  }
  EXPECT_EQ(find_architecture({9, 9}), nullptr);
}

TEST(Architecture, ClustersCameWithHopperAndStayed) {
  for (const Architecture& each : architectures()) {
    EXPECT_EQ(each.clusters, each.cc.major >= 9) << text(each.cc);
  }
}

TEST(Architecture, DataCentreChipsHaveAnL2OfTwoParts) {
  std::vector<std::string> two_parts;
  for (const Architecture& each : architectures()) {
    if (each.two_part_l2) {
      two_parts.push_back(text(each.cc));
    }
  }
  EXPECT_THAT(two_parts, testing::ElementsAre("8.0", "9.0", "10.0", "10.3"));
}

}  // namespace
}  // namespace rooftile
