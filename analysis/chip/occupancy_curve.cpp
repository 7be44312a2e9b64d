#include "analysis/chip/occupancy_curve.hpp"

#include <algorithm>

#include "analysis/chip/clusters.hpp"

namespace rooftile {
namespace {

BlockResources changed(BlockResources block, BlockResource resource, int value) {
  switch (resource) {
    case BlockResource::threads:
      block.threads = value;
      break;
    case BlockResource::registers:
      block.registers_per_thread = value;
      break;
    case BlockResource::shared_bytes:
      block.static_shared_bytes = value;
      block.dynamic_shared_bytes = 0;
      break;
    case BlockResource::cluster:  // changes no block
      break;
  }
  return block;
}

// The values at which the number of blocks can change.
std::vector<int> values_of(const SmLimits& sm, BlockResource resource) {
  std::vector<int> values;
  const auto walk = [&](int first, int last, int stride) {
    for (int value = first; value <= last; value += stride) {
      values.push_back(value);
    }
  };
  switch (resource) {
    case BlockResource::threads:
      walk(1, max_threads_per_block, warp_size);
      break;
    case BlockResource::registers:
      walk(1, max_registers_per_thread, 1);
      break;
    case BlockResource::shared_bytes:
      values.push_back(0);
      walk(std::max(1, sm.shared_allocation_unit - sm.shared_bytes_reserved + 1),
           sm.shared_bytes_per_block_optin, sm.shared_allocation_unit);
      break;
    case BlockResource::cluster:
      break;
  }
  return values;
}

}  // namespace

std::string_view title(BlockResource resource) {
  constexpr std::array<std::string_view, block_resources.size() + 1> titles = {
      "Threads per block", "Registers per thread", "Shared memory per block", "Blocks per cluster"};
  return titles[static_cast<std::size_t>(resource)];
}

int value_of(const BlockResources& block, BlockResource resource) {
  switch (resource) {
    case BlockResource::threads:
      return block.threads;
    case BlockResource::registers:
      return block.registers_per_thread;
    case BlockResource::shared_bytes:
      return block.static_shared_bytes + block.dynamic_shared_bytes;
    case BlockResource::cluster:
      break;
  }
  return 1;
}

std::vector<OccupancyStep> occupancy_curve(const BlockResources& block, const SmLimits& sm,
                                           BlockResource resource) {
  std::vector<OccupancyStep> curve;
  if (occupancy(block, sm).max_warps == 0) {
    return curve;
  }
  for (const int value : values_of(sm, resource)) {
    const Occupancy here = occupancy(changed(block, resource, value), sm);
    if (curve.empty() || curve.back().blocks != here.blocks || curve.back().ratio != here.ratio()) {
      curve.push_back({value, here.blocks, here.ratio()});
    }
  }
  return curve;
}

std::vector<OccupancyStep> cluster_curve(const BlockResources& block, const Gpu& gpu) {
  const Occupancy on_sm = occupancy(block, gpu.sm);
  std::vector<OccupancyStep> curve;
  if (on_sm.blocks == 0) {
    return curve;
  }
  const double blocks_of_gpu = static_cast<double>(gpu.sm_count) * on_sm.blocks;
  for (const ClusterFit& fit : cluster_fits(gpu, on_sm.blocks)) {
    curve.push_back({fit.size, fit.active, on_sm.ratio() * fit.active * fit.size / blocks_of_gpu});
  }
  return curve;
}

const OccupancyStep* step_at(const std::vector<OccupancyStep>& curve, int value) {
  const auto above = std::ranges::upper_bound(curve, value, {}, &OccupancyStep::first);
  return above == curve.begin() ? nullptr : &*std::prev(above);
}

}  // namespace rooftile
