#include "app/conductor/conductor_test.hpp"

#include "analysis/text/error.hpp"
#include "app/scene/chart/chart.hpp"

namespace rooftile::conductor {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST_F(ConductorTest, TheDeviceOfTheWorkerIsChosenAndTheFirstDialsAreMeasured) {
  Conductor live = conductor(with());
  EXPECT_TRUE(live.state().known.session.starting);
  settle(live);
  EXPECT_EQ(live.state().choice.gpu, "Test GPU");
  EXPECT_EQ(mode(live.state()), scene::Mode::live);
  EXPECT_THAT(trail(live), ElementsAre("TILE=16"));
  EXPECT_EQ(message(live), "");
}

TEST_F(ConductorTest, ADialThatMovesIsMeasured) {
  Conductor live = conductor(with());
  settle(live);
  live.apply({scene::SetParameter{"TILE", 32}});
  EXPECT_FALSE(live.resting());
  settle(live);
  EXPECT_THAT(trail(live), ElementsAre("TILE=16", "TILE=32"));
  EXPECT_EQ(current_point(live.state())->parameters.at("TILE"), 32);
}

TEST_F(ConductorTest, WhatIsChosenWhileTheWorkerStartsStays) {
  Conductor live = conductor(with({"--late", file("ready").string()}));
  live.apply({scene::SelectKernel{"transpose_tiled"}, scene::SetParameter{"TILE", 16}});
  touch("ready");
  settle(live);
  EXPECT_EQ(live.state().choice.kernel, "transpose_tiled");
  EXPECT_EQ(live.state().choice.gpu, "Test GPU");
  EXPECT_THAT(trail(live), ElementsAre("TILE=16"));
}

TEST_F(ConductorTest, WhatWaitsIsSentOnceAndThenTheDeviceIsBusy) {
  Conductor live = conductor(with({"--gate", file("open").string()}));
  frames_until(live, [&] { return !live.state().known.session.starting; });
  EXPECT_TRUE(live.has_to_send()) << "the first dials";
  live.send();
  EXPECT_FALSE(live.has_to_send());
  frames_until(live, [&] { return live.launching(); });
  EXPECT_FALSE(live.resting());
  touch("open");
  settle(live);
  EXPECT_FALSE(live.launching());
  EXPECT_FALSE(live.has_to_send());
}

TEST_F(ConductorTest, AnUndoneMoveKeepsItsLaunch) {
  Conductor live = conductor(with());
  settle(live);
  live.apply({scene::SetParameter{"TILE", 8}});
  settle(live);
  live.apply({scene::Undo{}});
  EXPECT_EQ(current_point(live.state())->parameters.at("TILE"), 16);
  live.apply({scene::SetParameter{"TILE", 32}});
  settle(live);
  EXPECT_THAT(trail(live), ElementsAre("TILE=16", "TILE=8", "TILE=32"));
}

TEST_F(ConductorTest, TheLinesOfALaunchAreCountedWhenAskedFor) {
  Conductor live = conductor(with());
  settle(live);
  live.apply({scene::CountLines{}});
  settle(live);
  EXPECT_EQ(live.state().known.session.log->profiles.size(), 1u);
}

TEST_F(ConductorTest, RoofsAreMeasuredAnewWhenAskedFor) {
  Conductor live = conductor(with());
  settle(live);
  live.apply({scene::MeasureRoofs{}});
  settle(live);
  EXPECT_EQ(live.state().known.session.log->roofs_of("Test GPU")->find(MemoryLevel::dram)->bandwidth.value,
            4.1e12);
}

TEST_F(ConductorTest, AKernelIsCompiledForTheGpuThatIsChosen) {
  Conductor live = conductor(with());
  settle(live);
  live.apply({scene::SelectGpu{"T4"}});
  settle(live);
  EXPECT_EQ(mode(live.state()), scene::Mode::predicted);
  ASSERT_TRUE(live.state().derived.shown.subject);
  EXPECT_TRUE(live.state().derived.shown.subject->occupancy);
  live.apply({scene::SelectGpu{"Test GPU"}});
  settle(live);
  EXPECT_EQ(mode(live.state()), scene::Mode::live);
}

TEST_F(ConductorTest, WhatIsWrongInAnActionIsToldAndTheLoopGoesOn) {
  Conductor live = conductor(with());
  settle(live);
  EXPECT_EQ(live.apply({scene::SelectKernel{"sgemm_tilde"}}), std::nullopt);
  EXPECT_THAT(message(live), HasSubstr("sgemm_tilde"));
  EXPECT_EQ(live.state().choice.kernel, "sgemm_tiled");
  EXPECT_EQ(live.apply({}), std::nullopt);
}

TEST_F(ConductorTest, AMistakeInAKernelsFileIsToldAndTheOtherKernelsAreThere) {
  std::filesystem::create_directories(file("kernels/broken"));
  std::ofstream(file("kernels/broken/kernel.toml")) << "title = 3\n";
  CommandLine wanted = with();
  wanted.kernel_folders = {file("kernels")};
  const Conductor live = conductor(wanted);
  EXPECT_THAT(message(live), HasSubstr("broken/kernel.toml:1"));
  EXPECT_EQ(live.state().choice.kernel, "sgemm_tiled");
}

TEST_F(ConductorTest, AKernelNobodyKnowsIsRefused) {
  CommandLine wanted = with();
  wanted.kernel = "sgemm_tilde";
  EXPECT_THROW(conductor(wanted), Error);
}

TEST_F(ConductorTest, WhatTheCommandLineSaidIsForgotten) {
  CommandLine wanted = with();
  wanted.theme = scene::Theme::light;
  wanted.scale = 1.5f;
  wanted.size = {1280, 720};
  scene::Settings before;
  before.width = 1700;
  Conductor live(wanted, before, std::nullopt);
  live.scale_with(2);
  EXPECT_EQ(live.state().settings.theme, scene::Theme::light);
  EXPECT_EQ(live.state().settings.scale, 1.5f);
  EXPECT_EQ(live.settings_to_remember(1280, 720), before);
  live.apply({scene::SetScale{3}});
  const scene::Settings after = live.settings_to_remember(1900, 1000);
  EXPECT_EQ(after.scale, 1.5f) << "3 on a display that doubles everything";
  EXPECT_EQ(after.width, 1900);
}

}  // namespace
}  // namespace rooftile::conductor
