#include "analysis/verdict/idle_warps.hpp"

#include <gmock/gmock.h>

#include "analysis/platform/gpu_table_file.hpp"

namespace rooftile {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(FilledPlaces, AreAllOfThemWhereWavesAreWhole) {
  const struct {
    double blocks, places_of_sm, sms, filled;
  } rows[] = {
      {264, 2, 132, 1},           // one wave
      {1056, 2, 132, 1},          // four
      {132, 2, 132, 0.5},         // one block on each SM that could hold two
      {66, 2, 132, 0.5},          // the other SMs are not at work
      {1, 8, 132, 1 / 8.0},       //
      {396, 2, 132, 3 / 4.0},     // a full wave, then a half
      {265, 2, 132, 265 / 266.0}  // then one block on one SM
  };
  for (const auto& row : rows) {
    EXPECT_DOUBLE_EQ(filled_places(row.blocks, row.places_of_sm, row.sms), row.filled) << row.blocks;
  }
}

// On an H200, 132 SMs, blocks of 256 threads.
struct LaunchCase {
  int blocks;
  double milliseconds, achieved;
};

std::vector<std::string> reasons(const LaunchCase& each) {
  const Gpu gpu = *find_gpu(platform::load_gpu_table().gpus, "h200");
  Point point;
  point.launch.grid.x = each.blocks;
  point.launch.block.x = 256;
  const Seconds time{each.milliseconds / 1e3};
  point.timing = Timing{time, time, time, 3};
  point.counters = Counters{};
  point.counters->achieved_occupancy = each.achieved;
  return why_fewer_warps(point, occupancy({.threads = 256, .registers_per_thread = 32}, gpu.sm), gpu);
}

TEST(WhyFewerWarps, NamesTailShortBlocksAndWhatIsLeft) {
  EXPECT_THAT(reasons({1056 * 20, 10, 0.97}), IsEmpty());
  EXPECT_THAT(reasons({1056 * 20, 10, 0.60}),
              ElementsAre("Imbalance: blocks or warps that end early cost 40 points"));
  EXPECT_THAT(reasons({1056 + 132, 1, 0.56}),
              ElementsAre("Tail: the last of 2 waves has 132 blocks for 1,056 places and costs 44 points"));
  EXPECT_THAT(reasons({132, 1, 0.12}), ElementsAre("Few blocks: 132 for 1,056 places cost 88 points"));
  EXPECT_THAT(reasons({1056 * 100, 0.2, 0.85}),
              ElementsAre("Short blocks: starting the next in its place costs 15 points"));
}

TEST(WhyFewerWarps, NobodyKnowsWhereNothingWasCounted) {
  const Gpu gpu = *find_gpu(platform::load_gpu_table().gpus, "h200");
  EXPECT_THAT(why_fewer_warps(Point{}, occupancy({.threads = 256}, gpu.sm), gpu), IsEmpty());
}

}  // namespace
}  // namespace rooftile
