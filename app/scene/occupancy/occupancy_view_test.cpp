// The words about one SM and the blocks that fit, and about what one block more or less would need.
#include "app/scene/occupancy/occupancy_view.hpp"

#include <gmock/gmock.h>

#include "analysis/verdict/diagnosis.hpp"
#include "app/scene/actions/actions.hpp"
#include "app/scene/state/test_session.hpp"

namespace rooftile::scene {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

const Gpu& named(const AppState& state, const std::string& name) {
  return *std::ranges::find(state.known.gpus, name, &Gpu::name);
}

class OccupancyViewTest : public testing::Test {
 protected:
  Point launch(int registers, double tile = 16) const {
    Point point = counted_point(state, 1, "sgemm_tiled", {{"TILE", tile}});
    point.compiled->registers = registers;
    return point;
  }
  OccupancyView view(const Point& point) const {
    return occupancy_view(point, *occupancy_of(point, gpu.sm), gpu);
  }
  OccupancyPlot plot(BlockResource resource, int registers) const {
    return occupancy_plots(launch(registers), gpu, {}).at(static_cast<std::size_t>(resource));
  }

  AppState state = live_state();
  const Gpu gpu = named(state, "H200 SXM 141GB");
};

TEST_F(OccupancyViewTest, EachResourceSaysWhatABlockTakesOfTheSm) {
  const auto resources = view(launch(33)).resources;
  std::vector<std::string> labels;
  for (const SmResource& resource : resources) {
    labels.push_back(resource.label);
    EXPECT_EQ(resource.blocks, 6) << resource.label;
    EXPECT_EQ(resource.binds, resource.label == "Registers") << resource.label;
  }
  EXPECT_THAT(labels, ElementsAre("Warps", "Registers", "Shared memory", "Block slots"));
  EXPECT_DOUBLE_EQ(resources[0].used, 1 / 8.0) << "256 of 2,048 threads";
  EXPECT_DOUBLE_EQ(resources[1].used, 33 * 256 / 65536.0);
  EXPECT_DOUBLE_EQ(resources[1].allocated, 40 * 256 / 65536.0) << "rounded up to 40 registers";
  EXPECT_EQ(resources[1].figure, "6");
  EXPECT_THAT(resources[1].facts,
              ElementsAre("Registers of one SM: 65,536 registers", "One block asks for 8,448 registers",
                          "and is given 10,240 registers, rounded up",
                          "4,096 registers stay empty beside 6 blocks", "By this limit alone: 6 blocks"));
}

TEST_F(OccupancyViewTest, ABlockThatDoesNotFitFillsNothing) {
  const Point point = launch(65, 32);
  for (const SmResource& resource : view(point).resources) {
    EXPECT_EQ(resource.blocks, 0);
    EXPECT_EQ(resource.binds, resource.label == "Registers");
  }
}

TEST_F(OccupancyViewTest, APlotSaysWhereItStandsAndWhereTheStepsAre) {
  struct Row {
    int registers;
    const char *here, *neighbours;
  };
  for (const auto& [registers, here, neighbours] :
       {Row{40, "40: 6 blocks, 75 %", "32 or less: 8 blocks, 41 or more: 5 blocks"},
        {32, "32: 8 blocks, 100 %", "33 or more: 6 blocks"},
        {255, "255: 1 block, 12.5 %", "128 or less: 2 blocks"}}) {
    const OccupancyPlot found = plot(BlockResource::registers, registers);
    EXPECT_EQ(found.here, here);
    EXPECT_EQ(found.neighbours, neighbours);
    EXPECT_EQ(found.present, registers);
  }
  EXPECT_EQ(plot(BlockResource::shared_bytes, 32).neighbours, "27.5 KiB or more: 7 blocks")
      << "228 KiB for eight blocks, less what is reserved";
}

TEST_F(OccupancyViewTest, ALaunchOfClustersHasACurveOverTheirSize) {
  Point point = launch(32);
  point.launch.cluster = {4, 1, 1};
  const auto plots = occupancy_plots(point, gpu, {&named(state, "RTX 3090")});
  ASSERT_THAT(plots, testing::SizeIs(4));
  EXPECT_EQ(plots.back().here, "4: 248 clusters, 93.9 %");
  EXPECT_EQ(plots.back().neighbours, "3 or less: 528 clusters, 8 or more: 124 clusters");
  EXPECT_THAT(plots.back().lines.back().steps, IsEmpty()) << "the RTX 3090 has no clusters";
  EXPECT_THAT(occupancy_plots(point, named(state, "RTX 3090"), {}), testing::SizeIs(3));
}

TEST_F(OccupancyViewTest, OtherGpusHaveLinesOfTheirOwn) {
  apply(state, {ToggleCompared{"RTX 3090"}, ToggleCompared{"nothing of the table"}});
  const auto others = compared_gpus(state);
  ASSERT_THAT(others, testing::SizeIs(1));
  for (const OccupancyPlot& plot : occupancy_plots(launch(32), gpu, others)) {
    ASSERT_THAT(plot.lines, testing::SizeIs(2));
    EXPECT_EQ(plot.lines[0].gpu, "H200 SXM 141GB");
    EXPECT_EQ(plot.lines[1].gpu, "RTX 3090");
  }
}

TEST_F(OccupancyViewTest, OfTooManyGpusTheOldestGoes) {
  apply(state, {ToggleCompared{"a"}, ToggleCompared{"b"}, ToggleCompared{"c"}, ToggleCompared{"d"}});
  EXPECT_THAT(state.view.compared, ElementsAre("b", "c", "d"));
  apply(state, {ToggleCompared{"c"}});
  EXPECT_THAT(state.view.compared, ElementsAre("b", "d"));
}

// 100 % fit; counted were 60 %, of many waves of long blocks.
TEST_F(OccupancyViewTest, AchievedTenPointsBelowIsExplained) {
  Point point = launch(32);
  point.launch.grid = {132 * 8 * 50, 1, 1};
  point.timing->median = Seconds{0.1};
  point.counters->achieved_occupancy = 0.6;
  EXPECT_THAT(view(point).why_below, ElementsAre("Imbalance: blocks or warps that end early cost 40 points"));
  point.counters->achieved_occupancy = 0.95;
  EXPECT_THAT(view(point).why_below, IsEmpty());
}

}  // namespace
}  // namespace rooftile::scene
