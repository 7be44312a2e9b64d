#include "kernels/inject/graph_launches.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <string>

namespace rooftile::inject {
namespace {

// An address of a graph, which is never read.
CUgraphExec graph(std::uintptr_t address) {
  return reinterpret_cast<CUgraphExec>(address);
}

std::vector<std::string> told(const std::vector<GraphRun>& runs) {
  std::vector<std::string> lines;
  std::ranges::transform(runs, std::back_inserter(lines), [](const GraphRun& run) {
    return fmt::format("group {}: {} kernels, {:.0f} ns", run.group, run.kernels, 1e9 * run.duration.value);
  });
  return lines;
}

TEST(GraphLaunches, AGraphKeepsItsNumberUntilItIsDestroyed) {
  GraphLaunches graphs;
  EXPECT_EQ(graphs.number_of(graph(16)), 1);
  EXPECT_EQ(graphs.number_of(graph(32)), 2);
  EXPECT_EQ(graphs.number_of(graph(16)), 1);
  graphs.destroyed(graph(16));
  EXPECT_EQ(graphs.number_of(graph(16)), 3);
}

TEST(GraphLaunches, ALaunchLastsFromItsFirstKernelToItsLast) {
  GraphLaunches graphs;
  graphs.launched(1, 7);
  graphs.launched(2, 7);
  graphs.launched(3, 8);
  graphs.launched(4, 8);
  graphs.traced(4);
  graphs.traced(1, 100, 150);
  graphs.traced(2, 300, 310);
  graphs.traced(1, 90, 120);
  graphs.traced(1, 160, 200);
  graphs.traced(99, 0, 1000);  // of no graph that is known
  EXPECT_THAT(told(graphs.take_ended(false)), testing::IsEmpty()) << "more kernels may come";
  EXPECT_THAT(told(graphs.take_ended(true)),
              testing::ElementsAre("group 7: 3 kernels, 110 ns", "group 7: 1 kernels, 10 ns",
                                   "group 8: 0 kernels, 0 ns"))
      << "nothing is known of the third";
  EXPECT_THAT(graphs.take_ended(true), testing::IsEmpty());
}

TEST(GraphLaunches, OldLaunchesAreCompleteWhileTheProgramRuns) {
  GraphLaunches graphs;
  for (std::uint32_t launch = 1; launch <= 100; ++launch) {
    graphs.launched(launch, launch);
    graphs.traced(launch, 10, 20);
  }
  const auto ended = graphs.take_ended(false);
  ASSERT_FALSE(ended.empty());
  EXPECT_EQ(ended.front().group, 1u);
  EXPECT_LT(ended.size(), 100u);
}

TEST(GraphLaunches, TheTraceMayComeLongAfterTheLaunches) {
  GraphLaunches graphs;
  for (std::uint32_t launch = 1; launch <= 300; ++launch) {
    graphs.launched(launch, 1);
  }
  std::size_t ended = 0;
  for (std::uint32_t launch = 1; launch <= 300; ++launch) {
    graphs.traced(launch, 10, 20);
    ended += graphs.take_ended(false).size();
  }
  EXPECT_EQ(ended + graphs.take_ended(true).size(), 300u);
}

}  // namespace
}  // namespace rooftile::inject
