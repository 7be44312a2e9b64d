// Sweeps, and the search for the best.
#include <algorithm>

#include "app/conductor/conductor_test.hpp"
#include "app/scene/chart/chart.hpp"

namespace rooftile::conductor {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST_F(ConductorTest, ASweepGoesOnWhileAnotherGpuIsLookedAt) {
  Conductor live = conductor(with({"--gate", file("open").string()}));
  frames_until(live, [&] { return !live.state().known.session.starting; });
  live.apply({scene::StartSweep{}});
  live.apply({scene::SelectGpu{"T4"}});
  touch("open");
  settle(live);
  const auto& points = live.state().known.session.log->points;
  const auto of_device = [](const Point& point) { return point.gpu == "Test GPU" && point.timing; };
  EXPECT_EQ(std::ranges::count_if(points, of_device), 36);
  EXPECT_EQ(live.state().choice.gpu, "T4");
}

TEST_F(ConductorTest, ACancelledSweepEnds) {
  Conductor live = conductor(with({"--gate", file("open").string()}));
  frames_until(live, [&] { return !live.state().known.session.starting; });
  live.apply({scene::StartSweep{}});
  live.news(live.state().now);
  EXPECT_TRUE(live.state().known.session.progress);
  live.apply({scene::CancelSweep{}});
  touch("open");
  settle(live);
  EXPECT_LE(live.state().known.session.log->points.size(), 2u);
  EXPECT_FALSE(live.state().known.session.progress);
}

TEST_F(ConductorTest, APausedSweepRestsAndGoesOn) {
  Conductor live = conductor(with({"--gate", file("open").string()}));
  frames_until(live, [&] { return !live.state().known.session.starting; });
  live.apply({scene::StartSweep{}});
  live.apply({scene::PauseSweep{}});
  touch("open");
  settle(live);
  EXPECT_TRUE(live.state().known.session.sweep_paused);
  EXPECT_TRUE(live.state().known.session.progress) << "it is not over";
  const std::size_t before = live.state().known.session.log->points.size();
  EXPECT_LT(before, 36u);
  live.apply({scene::PauseSweep{}});
  settle(live);
  EXPECT_GE(live.state().known.session.log->points.size(), 36u);
  EXPECT_FALSE(live.state().known.session.progress);
}

TEST_F(ConductorTest, ASweepOfWhichSomeFailsKeepsTheRestAndSaysWhy) {
  Conductor live = conductor(with({"--wrong", "TILE=8"}));
  settle(live);
  live.apply({scene::ToggleSweep{}, scene::StartSweep{}});
  settle(live);
  EXPECT_THAT(live.state().derived.shown.sweep_news,
              ElementsAre("36 of 36 launches done.", HasSubstr("9 failed, the first: The result is wrong")));
}

TEST_F(ConductorTest, TheBestIsFoundInAPartOfTheLaunchesAndTheDialsGoThere) {
  Conductor live = conductor(with({"--wrong", "TILE=32"}));
  settle(live);
  live.apply({scene::FindBest{}});
  EXPECT_TRUE(live.state().known.session.progress);
  settle(live);
  EXPECT_THAT(message(live), HasSubstr("of 36 places tried. "));
  EXPECT_LT(live.state().known.session.log->points.size(), 15u);
  EXPECT_FALSE(current_point(live.state())->failure);
  EXPECT_EQ(current_point(live.state())->parameters, dialled(live.state()));
}

}  // namespace
}  // namespace rooftile::conductor
