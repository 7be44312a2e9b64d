#include "analysis/chip/clusters.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/platform/gpu_table_file.hpp"

namespace rooftile {
namespace {

// The answers of cuOccupancyMaxActiveClusters for bundled kernels on an H200.
TEST(Clusters, AreAsManyAsTheDriverSays) {
  const Gpu h200 = *find_gpu(platform::load_gpu_table().gpus, "h200");
  const struct {
    int size, blocks_per_sm, active;
  } rows[] = {{2, 1, 66}, {2, 2, 132}, {2, 3, 198}, {2, 4, 264}, {2, 6, 396}, {2, 8, 528},
              {4, 1, 30}, {4, 2, 62},  {4, 3, 92},  {4, 4, 124}, {4, 6, 186}, {4, 8, 248},
              {8, 1, 15}, {8, 2, 30},  {8, 3, 45},  {8, 4, 62},  {8, 6, 92},  {8, 8, 124},
              {16, 1, 7}, {16, 2, 14}, {16, 3, 21}, {16, 4, 28}, {16, 6, 42}, {16, 8, 58}};
  for (const auto& row : rows) {
    const auto fits = cluster_fits(h200, row.blocks_per_sm);
    const auto fit = std::ranges::find(fits, row.size, &ClusterFit::size);
    ASSERT_NE(fit, fits.end());
    EXPECT_EQ(fit->active, row.active) << row.size << ' ' << row.blocks_per_sm;
  }
}

TEST(Clusters, AreNotKnownOfOtherChips) {
  for (const Gpu& gpu : platform::load_gpu_table().gpus) {
    EXPECT_EQ(cluster_fits(gpu, 1).empty(), gpu.name != "H200 SXM 141GB") << gpu.name;
  }
}

}  // namespace
}  // namespace rooftile
