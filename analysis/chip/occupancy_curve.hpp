// Occupancy while one resource of a block changes and the others stay.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "analysis/chip/gpu.hpp"
#include "analysis/chip/occupancy.hpp"

namespace rooftile {

enum class BlockResource { threads, registers, shared_bytes, cluster };
// The resources of one block; a cluster has several blocks.
inline constexpr std::array block_resources = {BlockResource::threads, BlockResource::registers,
                                               BlockResource::shared_bytes};
std::string_view title(BlockResource resource);  // "Threads per block"
int value_of(const BlockResources& block, BlockResource resource);

// The same blocks fit from `first` up to the next step's `first`.
struct OccupancyStep {
  int first = 0;
  int blocks = 0;  // on one SM; for clusters: how many of them on the GPU
  double ratio = 0;
};

// Over every value that a block may have on this SM, ascending; empty where its limits are not known.
// Threads go in whole warps, registers one by one, shared memory where its allocation grows.
std::vector<OccupancyStep> occupancy_curve(const BlockResources& block, const SmLimits& sm,
                                           BlockResource resource);

// Over the blocks of a cluster, doubled from step to step; empty where nobody asked a driver (clusters.hpp).
// Ratio: of all warps of the GPU, those of the clusters that it holds at once.
std::vector<OccupancyStep> cluster_curve(const BlockResources& block, const Gpu& gpu);

// The step that holds at a value: the last one at or below it. Null below the first.
const OccupancyStep* step_at(const std::vector<OccupancyStep>& curve, int value);

}  // namespace rooftile
