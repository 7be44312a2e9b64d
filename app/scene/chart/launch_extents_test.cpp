// Axes are fitted to where launches reach.
#include "app/scene/chart/launch_extents.hpp"

#include <gmock/gmock.h>

#include "app/scene/chart/chart.hpp"
#include "app/scene/state/test_session.hpp"

namespace rooftile::scene {
namespace {

class LaunchExtentsTest : public testing::Test {
 protected:
  Point launch(std::uint64_t id, double times_slower = 1, double times_dram = 1) const {
    Point point = counted_point(state, id, "sgemm_tiled", {});
    point.timing->median = times_slower * point.timing->median;
    point.counters->dram_read = times_dram * *point.counters->dram_read;
    point.counters->dram_write = times_dram * *point.counters->dram_write;
    return point;
  }
  LaunchExtents::Reach reach(const LaunchExtents& extents, const char* pipe = fp32_pipe,
                             double least_share = 1e-4) const {
    return extents.reach(roofs_of(state), pipe, least_share);
  }
  double intensity(const Point& point, MemoryLevel level) const {
    return place(point, roofs_of(state))->level(level)->intensity->value;
  }

  const AppState state = live_state();
};

TEST_F(LaunchExtentsTest, ReachFromTheSlowestToTheFastestAndOverEveryLevel) {
  LaunchExtents extents;
  const Point fast = launch(1), slow = launch(2, 8, 2);
  extents.add(fast);
  extents.add(slow);
  const auto found = reach(extents);
  EXPECT_DOUBLE_EQ(*found.performance.high, fast.counted_flops()->value / fast.timing->median.value);
  EXPECT_DOUBLE_EQ(*found.performance.low, *found.performance.high / 8);
  EXPECT_DOUBLE_EQ(*found.intensity.high, intensity(fast, MemoryLevel::dram));
  EXPECT_DOUBLE_EQ(*found.intensity.low, intensity(fast, MemoryLevel::l2));
}

TEST_F(LaunchExtentsTest, AreOfOneGpuAndOnePipeAndOfLaunchesThatLanded) {
  LaunchExtents extents;
  Point elsewhere = launch(1), failed = launch(2);
  elsewhere.gpu = "Another GPU";
  failed.failure = "It hung.";
  extents.add(elsewhere);
  extents.add(failed);
  EXPECT_FALSE(reach(extents).performance.high);
  extents.add(launch(3));
  EXPECT_TRUE(reach(extents).performance.high);
  EXPECT_FALSE(reach(extents, bf16_tensor_pipe).performance.high);
  EXPECT_DOUBLE_EQ(*reach(extents, warp_issue).performance.high, 1e8 / launch(3).timing->median.value);
}

TEST_F(LaunchExtentsTest, ALevelThatIsHardlyUsedStaysOut) {
  LaunchExtents extents;
  const Point point = launch(1, 1, 1e-6);
  extents.add(point);
  EXPECT_LT(*reach(extents).intensity.high, intensity(point, MemoryLevel::dram));
  EXPECT_DOUBLE_EQ(*reach(extents, fp32_pipe, 0).intensity.high, intensity(point, MemoryLevel::dram));
}

}  // namespace
}  // namespace rooftile::scene
