// Faults of a launch, a worker or a journal.
#include "app/conductor/conductor_test.hpp"

namespace rooftile::conductor {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

TEST_F(ConductorTest, AnErrorIsToldOnceAndGoesByItself) {
  Conductor live = conductor(with({"--wrong", "TILE=8"}));
  settle(live);
  live.apply({scene::SetParameter{"TILE", 8}});
  settle(live);
  EXPECT_THAT(message(live), HasSubstr("The result is wrong"));
  const double later = live.state().now + scene::message_seconds + 1;
  EXPECT_TRUE(live.news(later));
  EXPECT_EQ(message(live), "");
  EXPECT_FALSE(live.news(later + 1)) << "nothing is left to draw";
}

TEST_F(ConductorTest, AnErrorCanBeDismissed) {
  Conductor live = conductor(with({"--wrong", "TILE=8"}));
  settle(live);
  live.apply({scene::SetParameter{"TILE", 8}});
  settle(live);
  live.apply({scene::Dismiss{}});
  live.news(live.state().now);
  EXPECT_EQ(message(live), "");
}

TEST_F(ConductorTest, AJournalThatTakesNothingIsToldOnceAndHindersNothing) {
  CommandLine wanted = with();
  wanted.journal = file("folder");
  std::filesystem::create_directory(wanted.journal);
  Conductor live = conductor(wanted);
  settle(live);
  EXPECT_THAT(message(live), HasSubstr("New measurements are not kept: "));
  live.news(live.state().now + scene::message_seconds + 1);
  live.apply({scene::SetParameter{"TILE", 8}});
  settle(live);
  EXPECT_EQ(message(live), "");
  EXPECT_THAT(trail(live), Contains("TILE=8"));
}

TEST_F(ConductorTest, AWorkerThatDiesIsStartedAgainAndTheDialsStayWhereTheyAre) {
  Conductor live = conductor(with({"--crash", "TILE=8"}));
  settle(live);
  live.apply({scene::SetParameter{"TILE", 8}});
  settle(live);
  EXPECT_THAT(message(live), HasSubstr("signal 11"));
  live.apply({scene::SetParameter{"TILE", 32}});
  settle(live);
  EXPECT_THAT(trail(live), ElementsAre("TILE=16", "TILE=8", "TILE=32"));
  EXPECT_EQ(mode(live.state()), scene::Mode::live);
}

TEST_F(ConductorTest, ALongLaunchIsCountedDownAndStopped) {
  Conductor live = conductor(with({"--hang", "TILE=32"}));
  frames_until(live, [&] { return live.state().known.session.device == "Test GPU" && live.resting(); });
  live.apply({scene::SetParameter{"TILE", 32}});
  frames_until(live, [&] { return counts_down(live); });
  EXPECT_NEAR(live.state().known.session.gives_up_in->value + live.state().known.session.waited->value, 60,
              0.1);
  live.apply({scene::WaitLonger{}});
  EXPECT_FALSE(counts_down(live));
  live.apply({scene::StopLaunch{}});
  frames_until(live, [&] { return live.resting() && live.state().known.session.device == "Test GPU"; });
  EXPECT_THAT(live.state().known.session.log->points.back().failure.value_or(""),
              HasSubstr("The launch was stopped"));
}

TEST_F(ConductorTest, TheGpuOfAWorkerThatIsGoneForGoodIsStillTheOneThatIsShown) {
  CommandLine wanted = with();
  const std::filesystem::path worker = file("worker");
  std::filesystem::create_symlink(SCRIPTED_WORKER, worker);
  wanted.worker = {worker.string(), "--crash", "TILE=8"};
  Conductor live = conductor(wanted);
  settle(live);
  std::filesystem::remove(worker);
  live.apply({scene::SetParameter{"TILE", 8}});
  frames_until(live, [&] { return live.state().known.session.worker_given_up; });
  EXPECT_EQ(live.state().choice.gpu, "Test GPU");
  EXPECT_THAT(live.state().derived.shown.device, HasSubstr("Test GPU"));
  EXPECT_EQ(mode(live.state()), scene::Mode::recorded) << "what it measured stays";
}

TEST_F(ConductorTest, AWorkerThatWasGivenUpIsStartedByHandAndItsGpuIsShown) {
  CommandLine wanted = with();
  const std::string mended = file("worker").string();
  std::filesystem::create_symlink("/bin/false", mended);
  wanted.worker = {mended};
  wanted.live = true;
  Conductor live = conductor(wanted);
  frames_until(live, [&] { return live.state().known.session.worker_given_up; });
  EXPECT_NE(scene::mode(live.state()), scene::Mode::live);
  std::filesystem::remove(mended);
  std::filesystem::create_symlink(SCRIPTED_WORKER, mended);
  live.apply({scene::StartWorker{}});
  frames_until(live, [&] { return live.state().known.session.device == "Test GPU" && live.resting(); });
  EXPECT_EQ(live.state().choice.gpu, "Test GPU");
  EXPECT_EQ(scene::mode(live.state()), scene::Mode::live);
}

}  // namespace
}  // namespace rooftile::conductor
