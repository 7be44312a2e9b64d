#include "analysis/chip/occupancy_curve.hpp"

#include <gmock/gmock.h>

#include <random>

#include "analysis/platform/gpu_table_file.hpp"

namespace rooftile {
namespace {

using testing::IsEmpty;

const SmLimits& hopper() {
  static const SmLimits sm = *sm_limits({9, 0});
  return sm;
}

TEST(OccupancyCurve, FallsInStepsAsRegistersGrow) {
  const auto curve = occupancy_curve({256, 32, 0, 0}, hopper(), BlockResource::registers);
  struct Row {
    int registers, blocks;
  };
  // 65,536 registers for 8 warps a block, in units of 8 per thread.
  for (const auto& [registers, blocks] : {Row{1, 8},
                                          {32, 8},
                                          {33, 6},
                                          {40, 6},
                                          {41, 5},
                                          {48, 5},
                                          {49, 4},
                                          {64, 4},
                                          {65, 3},
                                          {128, 2},
                                          {129, 1},
                                          {255, 1}}) {
    const OccupancyStep* step = step_at(curve, registers);
    ASSERT_NE(step, nullptr) << registers;
    EXPECT_EQ(step->blocks, blocks) << registers;
    EXPECT_DOUBLE_EQ(step->ratio, blocks * 8 / 64.0) << registers;
  }
}

TEST(OccupancyCurve, IsASawOverThreads) {
  const auto curve = occupancy_curve({256, 32, 0, 0}, *sm_limits({8, 6}), BlockResource::threads);
  struct Row {
    int threads;
    double ratio;
  };
  // 48 warps and 16 blocks: small blocks run out of slots, 1,024 threads leave a third empty.
  for (const auto& [threads, ratio] :
       {Row{32, 16 / 48.0}, {96, 1}, {256, 1}, {512, 1}, {544, 34 / 48.0}, {768, 1}, {1024, 32 / 48.0}}) {
    EXPECT_DOUBLE_EQ(step_at(curve, threads)->ratio, ratio) << threads;
  }
}

TEST(OccupancyCurve, SharedMemoryTellsTheByteAtWhichABlockIsLost) {
  const auto curve = occupancy_curve({1024, 32, 0, 0}, hopper(), BlockResource::shared_bytes);
  // Two blocks of 1,024 threads until half of 228 KiB, of which 1 KiB is the system's, is not enough for one.
  EXPECT_EQ(step_at(curve, 113 * 1024)->blocks, 2);
  EXPECT_EQ(step_at(curve, 113 * 1024 + 1)->blocks, 1);
  EXPECT_EQ(step_at(curve, -1), nullptr);
}

TEST(OccupancyCurve, SaysAtEveryValueWhatOccupancySays) {
  std::mt19937 random(7);
  const auto draw = [&](int lowest, int highest) {
    return std::uniform_int_distribution(lowest, highest)(random);
  };
  for (const ComputeCapability cc : {ComputeCapability{7, 5}, {8, 0}, {8, 6}, {9, 0}, {12, 0}}) {
    const SmLimits sm = *sm_limits(cc);
    for (int i = 0; i < 300; ++i) {
      const BlockResources block{32 * draw(1, 32), draw(1, 255), draw(0, sm.shared_bytes_per_block_optin), 0};
      for (const BlockResource resource : block_resources) {
        const auto curve = occupancy_curve(block, sm, resource);
        const OccupancyStep* step = step_at(curve, value_of(block, resource));
        ASSERT_NE(step, nullptr);
        EXPECT_EQ(step->blocks, occupancy(block, sm).blocks)
            << title(resource) << " of a block of " << block.threads;
      }
    }
  }
}

TEST(OccupancyCurve, LargerClustersLeaveSmsEmpty) {
  const auto gpus = platform::load_gpu_table().gpus;
  const BlockResources block{1024, 32, 0, 0};  // two of them fill an SM
  const auto curve = cluster_curve(block, *find_gpu(gpus, "H200"));
  struct Row {
    int size, clusters;
  };
  for (const auto& [size, clusters] : {Row{1, 264}, {2, 132}, {4, 62}, {8, 30}, {16, 14}}) {
    const OccupancyStep* step = step_at(curve, size);
    EXPECT_EQ(step->blocks, clusters) << size;
    EXPECT_DOUBLE_EQ(step->ratio, clusters * size / 264.0) << size;
  }
  EXPECT_THAT(cluster_curve(block, *find_gpu(gpus, "RTX 3090")), IsEmpty()) << "it has none";
  EXPECT_THAT(cluster_curve({1024, 255, 0, 0}, *find_gpu(gpus, "H200")), IsEmpty()) << "no block fits";
}

TEST(OccupancyCurve, IsEmptyWhereNothingIsKnownOfTheSm) {
  EXPECT_THAT(occupancy_curve({256, 32, 0, 0}, SmLimits{}, BlockResource::registers), IsEmpty());
}

}  // namespace
}  // namespace rooftile
