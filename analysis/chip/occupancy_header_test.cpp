// Our occupancy against NVIDIA's own arithmetic, over random kernels on every capability we describe.
#include <cuda_occupancy.h>
#include <gtest/gtest.h>

#include <climits>
#include <random>
#include <string>

#include "analysis/chip/occupancy.hpp"
#include "analysis/model/banks.hpp"

namespace rooftile {
namespace {

constexpr ComputeCapability capabilities[] = {{6, 0}, {7, 0},  {7, 5},  {8, 0},  {8, 6},  {8, 7}, {8, 9},
                                              {9, 0}, {10, 0}, {10, 3}, {11, 0}, {12, 0}, {12, 1}};

cudaOccDeviceProp device_of(ComputeCapability cc, const SmLimits& sm) {
  cudaOccDeviceProp device;
  device.computeMajor = cc.major;
  device.computeMinor = cc.minor;
  device.maxThreadsPerBlock = 1024;
  device.maxThreadsPerMultiprocessor = sm.threads;
  device.regsPerBlock = sm.registers;
  device.regsPerMultiprocessor = sm.registers;
  device.warpSize = warp_size;
  device.sharedMemPerBlock = static_cast<std::size_t>(sm.shared_bytes_per_block);
  device.sharedMemPerMultiprocessor = static_cast<std::size_t>(sm.shared_bytes);
  device.numSms = 1;
  device.sharedMemPerBlockOptin = static_cast<std::size_t>(sm.shared_bytes_per_block_optin);
  device.reservedSharedMemPerBlock = static_cast<std::size_t>(sm.shared_bytes_reserved);
  return device;
}

cudaOccResult nvidias_answer(const cudaOccDeviceProp& device, const BlockResources& block) {
  const auto dynamic_bytes = static_cast<std::size_t>(block.dynamic_shared_bytes);
  cudaOccFuncAttributes kernel;
  kernel.maxThreadsPerBlock = INT_MAX;
  kernel.numRegs = block.registers_per_thread;
  kernel.sharedSizeBytes = static_cast<std::size_t>(block.static_shared_bytes);
  kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  kernel.maxDynamicSharedSizeBytes = dynamic_bytes;
  kernel.numBlockBarriers = block.named_barriers;
  cudaOccDeviceState state;
  state.carveoutConfig = block.carveout_percent.value_or(SHAREDMEM_CARVEOUT_DEFAULT);
  cudaOccResult result{};
  EXPECT_EQ(
      cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &kernel, &state, block.threads, dynamic_bytes),
      CUDA_OCC_SUCCESS);
  return result;
}

// Half of the values at random, half beside the steps where rounding happens.
BlockResources random_block(std::mt19937& random, const SmLimits& sm) {
  const auto below = [&](int limit) { return std::uniform_int_distribution(0, limit - 1)(random); };
  const auto near_multiple = [&](int unit, int count) {
    return std::max(0, unit * below(count) + below(3) - 1);
  };
  BlockResources block;
  block.threads = 1 + (below(2) ? below(1024) : std::min(1023, near_multiple(32, 33)));
  block.registers_per_thread = below(2) ? below(256) : std::min(255, near_multiple(8, 33));
  block.static_shared_bytes = below(2) ? 0 : near_multiple(128, 48 * 8);
  block.dynamic_shared_bytes = below(3) ? near_multiple(128, below(16) ? 64 : sm.shared_bytes / 128 + 16) : 0;
  block.named_barriers = below(4) ? 1 : below(17);
  if (below(2)) {
    block.carveout_percent = below(101);
  }
  return block;
}

std::string described(ComputeCapability cc, const BlockResources& block) {
  return "sm_" + std::to_string(cc.major) + std::to_string(cc.minor) + ": " + std::to_string(block.threads) +
         " threads, " + std::to_string(block.registers_per_thread) + " registers, " +
         std::to_string(block.static_shared_bytes) + " + " + std::to_string(block.dynamic_shared_bytes) +
         " B, " + std::to_string(block.named_barriers) + " barriers, carveout " +
         std::to_string(block.carveout_percent.value_or(-1)) + " %";
}

bool same(std::optional<int> ours, int theirs) {
  return ours.value_or(INT_MAX) == theirs;
}

bool agree(const Occupancy& ours, const cudaOccResult& theirs) {
  return ours.blocks == theirs.activeBlocksPerMultiprocessor &&
         same(ours.limits[0].blocks, theirs.blockLimitWarps) &&
         same(ours.limits[1].blocks, theirs.blockLimitRegs) &&
         same(ours.limits[2].blocks, theirs.blockLimitSharedMem) &&
         same(ours.limits[3].blocks, theirs.blockLimitBlocks) &&
         same(ours.limits[4].blocks, theirs.blockLimitBarriers);
}

TEST(OccupancyHeader, AgreesOn200000RandomKernels) {
  constexpr int cases = 200'000;
  std::mt19937 random(20261121);
  int mismatches = 0, full = 0, impossible = 0;
  for (int i = 0; i < cases; ++i) {
    const ComputeCapability cc = capabilities[i % std::size(capabilities)];
    const SmLimits sm = *sm_limits(cc);
    const BlockResources block = random_block(random, sm);
    const Occupancy ours = occupancy(block, sm);
    full += ours.ratio() == 1;
    impossible += ours.blocks == 0;
    if (!agree(ours, nvidias_answer(device_of(cc, sm), block)) && ++mismatches <= 5) {
      ADD_FAILURE() << described(cc, block) << ": ours " << ours.blocks;
    }
  }
  EXPECT_EQ(mismatches, 0);
  // The cases are worth something only if they reach both ends.
  EXPECT_GT(full, cases / 100);
  EXPECT_GT(impossible, cases / 100);
  EXPECT_LT(impossible, cases / 2);
}

}  // namespace
}  // namespace rooftile
