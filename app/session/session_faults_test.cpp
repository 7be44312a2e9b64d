// The effect of a launch or worker that fails on the other launches of its session.
#include <algorithm>

#include "app/session/session_test.hpp"

namespace rooftile {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_F(SessionTest, AWorkerLostWhileProfilingLeavesNoPoint) {
  Session live = session({"--crash", "TILE=8"});
  poll_until(live, [&] { return !live.starting(); });
  live.profile(tile(8));
  finish(live);
  EXPECT_THAT(points(live.log()), testing::IsEmpty());
  EXPECT_THAT(live.last_error().value_or(""), HasSubstr("signal 11"));
}

TEST_F(SessionTest, CrashFailsOneLaunchAndTheQueueGoesOn) {
  Session live = session({"--crash", "TILE=8"});
  live.sweep({tile(4), tile(8), tile(16)});
  finish(live);
  EXPECT_THAT(points(live.log()), ElementsAre("TILE=4", "TILE=8 failed", "TILE=16"));
  EXPECT_THAT(*live.log().points[1].failure,
              AllOf(HasSubstr("The worker was ended by signal 11"),
                    HasSubstr("while measuring sgemm_tiled TILE=8; the worker was started again.")));
  EXPECT_EQ(live.last_error(), live.log().points[1].failure);
  EXPECT_NE(live.device(), nullptr);
}

TEST_F(SessionTest, CrashAmongManyUnderWayFailsOnlyItsCulprit) {
  Session live = session({"--crash", "TILE=9"});
  std::vector<Configuration> tiles;
  for (int i = 1; i <= 30; ++i) {
    tiles.push_back(tile(i));
  }
  live.sweep(tiles);
  finish(live);
  std::vector<std::string> failed;
  std::ranges::copy_if(points(live.log()), std::back_inserter(failed),
                       [](const std::string& point) { return point.ends_with("failed"); });
  EXPECT_THAT(failed, ElementsAre("TILE=9 failed"));
  EXPECT_EQ(live.log().points.size(), 30u);
}

TEST_F(SessionTest, AFaultIsBlamedOnItsOwnLaunchAndEveryOtherIsMeasured) {
  Session live = session({"--fault", "MODE=1"});
  const auto launch = [](double tile, double mode) {
    return Configuration{"sgemm_tiled", {{"TILE", tile}, {"MODE", mode}}};
  };
  live.sweep(
      {launch(1, 1), launch(2, 0), launch(3, 1), launch(4, 1), launch(5, 0), launch(6, 1), launch(7, 0)});
  finish(live);
  EXPECT_THAT(points(live.log()),
              ElementsAre("MODE=1 TILE=1 failed", "MODE=0 TILE=2", "MODE=1 TILE=3 failed",
                          "MODE=1 TILE=4 failed", "MODE=0 TILE=5", "MODE=1 TILE=6 failed", "MODE=0 TILE=7"));
  for (const Point& point : live.log().points) {
    EXPECT_THAT(point.failure.value_or("MODE=0"), ::testing::Not(HasSubstr("worker")))
        << "the cause, not what followed";
  }
  EXPECT_EQ(live.facilities().size(), 2u) << "the worker is there";
}

TEST_F(SessionTest, WorkerThatLeavesEarlyIsStartedAgain) {
  Session live = session({"--leave", "TILE=4"});
  live.sweep({tile(4), tile(8)});
  finish(live);
  EXPECT_THAT(points(live.log()), ElementsAre("TILE=4 failed", "TILE=8"));
  EXPECT_THAT(*live.last_error(), HasSubstr("ended with status 3"));
}

TEST_F(SessionTest, WorkerThatKeepsCrashingIsGivenUpUntilTheNextRequest) {
  Session live = session({"--crash", "N=1"});
  const Configuration deadly{"sgemm_tiled", {{"N", 1}}};
  live.sweep({deadly, deadly, deadly, tile(8)});
  finish(live);
  EXPECT_THAT(points(live.log()), ElementsAre("N=1 failed", "N=1 failed", "N=1 failed"));
  EXPECT_THAT(*live.last_error(), HasSubstr("the next request starts it again"));
  EXPECT_EQ(live.facilities().back().name, "worker");
  live.request(tile(8));
  finish(live);
  EXPECT_EQ(points(live.log()).back(), "TILE=8");
}

TEST_F(SessionTest, SilentWorkerIsEndedAndSaysSo) {
  SessionOptions impatient = options({"--hang", "TILE=8"});
  impatient.launch_limit = 1s;  // longer than a busy machine takes to start the worker
  Session live = Session(impatient);
  live.sweep({tile(4), tile(8), tile(16)});
  finish(live);
  EXPECT_THAT(points(live.log()), ElementsAre("TILE=4", "TILE=8 failed", "TILE=16"));
  EXPECT_THAT(*live.log().points[1].failure, HasSubstr("silent for 1.00 s, the limit of one launch"));
}

// How often the worker was asked to measure this tile.
int times_asked(const std::filesystem::path& heard, double tile) {
  int times = 0;
  std::ifstream in(heard);
  for (std::string line; std::getline(in, line);) {
    const Request request = parse_request(line);
    const auto* measured = std::get_if<MeasureRequest>(&request);
    times += measured && measured->parameters.at("TILE") == tile ? 1 : 0;
  }
  return times;
}

TEST_F(SessionTest, AnEndlessLoopAmongManyCostsOneLimit) {
  const std::filesystem::path heard = journal().parent_path() / "heard";
  SessionOptions impatient = options({"--hang-launch", "TILE=20", "--heard", heard.string()});
  impatient.launch_limit = 1s;
  Session live = Session(impatient);
  std::vector<Configuration> tiles;
  for (int i = 1; i <= 30; ++i) {
    tiles.push_back(tile(i));
  }
  live.sweep(tiles, Session::Ahead::no);
  finish(live);
  EXPECT_EQ(live.log().points.size(), 30u);
  const auto failed = [](const Point& point) { return point.failure.has_value(); };
  EXPECT_EQ(std::ranges::count_if(live.log().points, failed), 1);
  EXPECT_THAT(points(live.log()), ::testing::Contains("TILE=20 failed"));
  EXPECT_EQ(times_asked(heard, 20), 1) << "it is blamed when it is met, not met again alone";
}

TEST_F(SessionTest, ManyEndlessLoopsInARowGiveNobodyUp) {
  SessionOptions impatient = options({"--hang-launch", "PAD_A=1"});
  impatient.launch_limit = 300ms;
  Session live = Session(impatient);
  std::vector<Configuration> launches;
  for (int i = 1; i <= 6; ++i) {
    launches.push_back(tile(i));
    launches.back().parameters["PAD_A"] = i < 6 ? 1 : 0;
  }
  live.sweep(launches, Session::Ahead::no);
  finish(live);
  const auto failed = [](const Point& point) { return point.failure.has_value(); };
  EXPECT_EQ(std::ranges::count_if(live.log().points, failed), 5);
  EXPECT_EQ(live.log().points.size(), 6u);
}

TEST_F(SessionTest, ALongLaunchIsStoppedOnRequestAndTheNextIsMeasured) {
  Session live = session({"--hang", "TILE=8"});
  poll_until(live, [&] { return !live.starting(); });
  live.request(tile(8));
  live.send();
  live.request(tile(16));
  poll_until(live, [&] { return live.silence() && live.silence()->so_far.value > 0.05; });
  live.wait_longer();
  EXPECT_LT(live.silence()->so_far.value, 0.05);
  live.stop_launch();
  finish(live);
  EXPECT_THAT(points(live.log()), ElementsAre("TILE=8 failed", "TILE=16"));
  EXPECT_THAT(*live.log().points[0].failure,
              HasSubstr("The launch was stopped while measuring sgemm_tiled TILE=8"));
  EXPECT_EQ(live.silence(), std::nullopt) << "nobody waits";
}

TEST_F(SessionTest, ACompilationThatNeverEndsHoldsUpNothingElse) {
  SessionOptions impatient = options({"--hang-compile", "TILE=8"});
  impatient.launch_limit = 3s;
  Session live = Session(impatient);
  poll_until(live, [&] { return live.device() != nullptr; });
  live.sweep({tile(4), tile(8), tile(16), tile(32)});
  finish(live);
  EXPECT_THAT(points(live.log()), ElementsAre("TILE=4", "TILE=16", "TILE=32", "TILE=8 failed"));
  EXPECT_EQ(live.last_error(), "Compiling sgemm_tiled TILE=8 took longer than 3.00 s and was ended.");
}

TEST_F(SessionTest, WhatDoesNotCompileDoesNotReachTheDevice) {
  const std::filesystem::path heard = journal().parent_path() / "heard";
  Session live = session({"--no-compile", "TILE=8", "--heard", heard.string()});
  poll_until(live, [&] { return live.device() != nullptr; });
  live.sweep({tile(4), tile(8), tile(16)});
  finish(live);
  EXPECT_THAT(points(live.log()), ElementsAre("TILE=4", "TILE=8 failed", "TILE=16"));
  EXPECT_EQ(live.last_error(), "sgemm_tiled.cu(12): error: expected a \";\"");
  EXPECT_EQ(times_asked(heard, 8), 0);
}

TEST_F(SessionTest, GarbageIsSkippedAndNamed) {
  Session live = session({"--garbage", "TILE=8"});
  live.request(tile(8));
  finish(live);
  EXPECT_THAT(points(live.log()), ElementsAre("TILE=8"));
  EXPECT_THAT(*live.last_error(), HasSubstr("half a li"));
}

TEST_F(SessionTest, AnAnswerOfAnotherKernelFailsItsLaunchAtOnce) {
  Session live = session({"--other-kernel", "TILE=8"});
  live.sweep({tile(4), tile(8), tile(16)});
  finish(live);
  EXPECT_THAT(points(live.log()), ElementsAre("TILE=4", "TILE=8 failed", "TILE=16"));
  EXPECT_EQ(live.log().points[1].kernel, "sgemm_tiled");
  EXPECT_EQ(live.log().points[1].failure,
            "The worker was asked for sgemm_tiled TILE=8 and answered with another_kernel TILE=8.");
}

TEST_F(SessionTest, AWorkerThatOnlyTakesItsLeaveIsGivenUp) {
  for (const char* leave : {"--farewell", "--goodbye"}) {
    Session live = session({leave});
    poll_until(live, [&] { return live.given_up(); });
    EXPECT_THAT(live.last_error().value_or(""), HasSubstr("The worker ended with status 0")) << leave;
  }
}

TEST_F(SessionTest, AWorkerOfALaterVersionIsToldAsThat) {
  Session live = session({"--newer"});
  poll_until(live, [&] { return live.given_up(); });
  EXPECT_THAT(live.last_error().value_or(""),
              HasSubstr("The worker cannot be understood: the records are of version 1000; this rooftile "
                        "understands version 1. Use a worker of the same version"));
}

TEST_F(SessionTest, WorkerThatCannotStartIsAState) {
  SessionOptions missing = options();
  missing.worker = {"/no/such/rooftile-worker"};
  Session live = Session(missing);
  poll_until(live, [&] { return !live.starting(); });
  EXPECT_EQ(live.device(), nullptr);
  EXPECT_EQ(live.facilities().back().name, "worker");
  EXPECT_THAT(*live.last_error(), HasSubstr("/no/such/rooftile-worker"));
  live.request(tile(8));
  finish(live);
  EXPECT_TRUE(live.log().points.empty());
}

TEST_F(SessionTest, WorkerThatDiesAtTheStartIsQuoted) {
  Session live = session({"--crash-at-start"});
  live.request(tile(8));
  finish(live);
  EXPECT_THAT(*live.last_error(), AllOf(HasSubstr("ended with status 4"), HasSubstr("cannot open the device")));
  EXPECT_TRUE(live.log().points.empty()) << "the launch is not to blame";
}

TEST_F(SessionTest, AWorkerThatFailsToStartOnceIsTriedAgainWithTheRequestsThatWait) {
  Session live = session({"--crash-once", (journal().parent_path() / "crashed").string()});
  live.request(tile(8));
  finish(live);
  EXPECT_THAT(points(live.log()), ElementsAre("TILE=8"));
  EXPECT_NE(live.device(), nullptr);
}

}  // namespace
}  // namespace rooftile
