#include "app/session/session.hpp"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "analysis/error.hpp"
#include "analysis/format.hpp"
#include "app/session/tile_launch_test.hpp"

namespace rooftile {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SessionTest : public ::testing::Test {
 protected:
  SessionTest() { std::filesystem::create_directories(folder_); }
  ~SessionTest() override { std::filesystem::remove_all(folder_); }

  SessionOptions options(std::vector<std::string> script = {}) const {
    SessionOptions options;
    options.worker = {SCRIPTED_WORKER};
    options.worker.insert(options.worker.end(), script.begin(), script.end());
    options.journal = journal();
    return options;
  }
  Session session(std::vector<std::string> script = {}) const { return Session(options(std::move(script))); }

  std::filesystem::path journal() const { return folder_ / "journal.jsonl"; }
  std::filesystem::path gate() const { return folder_ / "gate"; }
  void open_gate() const { std::ofstream(gate()) << "open"; }

 private:
  std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) /
      (std::string("session_") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

// Frames until it holds; a test that waits for longer than a minute has failed.
template <class Condition>
void poll_until(Session& session, Condition condition) {
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (!condition()) {
    ASSERT_LT(std::chrono::steady_clock::now(), end) << session.last_error().value_or("no error");
    session.send();
    session.wait(10ms);
    session.poll();
  }
}
void finish(Session& session) {
  poll_until(session, [&] { return !session.busy(); });
}

// "TILE=8", or "TILE=8 failed", in the order of the log.
std::vector<std::string> points(const SessionLog& log) {
  std::vector<std::string> words;
  for (const auto& point : log.points) {
    words.push_back(text(point.parameters) + (point.failure ? " failed" : point.final ? "" : " unfinished"));
  }
  return words;
}

TEST_F(SessionTest, BecomesLiveOnceTheWorkerNamesItsDevice) {
  Session live = session();
  EXPECT_EQ(live.device(), nullptr);
  EXPECT_TRUE(live.starting());
  poll_until(live, [&] { return !live.starting(); });
  EXPECT_NE(live.device(), nullptr);
  EXPECT_EQ(live.device()->name, "Test GPU");
  EXPECT_FALSE(live.facilities().empty());
}

TEST_F(SessionTest, StaysPredictedWithoutADevice) {
  Session live = session({"--no-device"});
  poll_until(live, [&] { return !live.starting(); });
  EXPECT_EQ(live.device(), nullptr);
  EXPECT_EQ(live.facilities().back().fix, "Use a machine with a GPU.");
}

TEST_F(SessionTest, RequestBecomesACountedPoint) {
  Session live = session();
  const auto id = live.request(tile(8));
  EXPECT_TRUE(live.busy());
  finish(live);
  ASSERT_EQ(live.log().points.size(), 1u);
  const Point& point = live.log().points.front();
  EXPECT_EQ(point.id, id);
  EXPECT_EQ(point.evidence(), Evidence::counted);
  EXPECT_FALSE(live.last_error());
}

TEST_F(SessionTest, LaunchesFromTheCompilationToTheCounters) {
  Session live = session({"--gate", gate().string()});
  poll_until(live, [&] { return !live.starting(); });
  EXPECT_FALSE(live.has_to_send());
  live.request(tile(8));
  EXPECT_TRUE(live.has_to_send());
  EXPECT_FALSE(live.launching());
  poll_until(live, [&] { return live.launching(); });
  EXPECT_FALSE(live.has_to_send());
  open_gate();
  finish(live);
  EXPECT_FALSE(live.launching());
  live.request(tile(8));
  live.send();
  EXPECT_FALSE(live.launching()) << "it may have to be compiled first";
}

TEST_F(SessionTest, AProfileIsKeptWithItsLaunchAndInTheJournal) {
  Session live = session({"--wrong", "TILE=32"});
  EXPECT_EQ(live.profile(tile(8)), 0u) << "nothing is known to measure yet";
  poll_until(live, [&] { return !live.starting(); });
  live.request(tile(8));
  finish(live);
  const auto id = live.profile(tile(8));
  EXPECT_TRUE(live.busy());
  finish(live);
  const SourceProfile* profile = live.log().profile_of(live.log().points.front());
  ASSERT_NE(profile, nullptr);
  EXPECT_EQ(profile->id, id);
  EXPECT_THAT(points(live.log()), ElementsAre("TILE=8"));
  EXPECT_EQ(platform::load_session(journal()).profiles, live.log().profiles);
  live.profile(tile(32));
  finish(live);
  EXPECT_THAT(live.last_error().value_or(""), HasSubstr("The result is wrong"));
  EXPECT_EQ(live.log().profiles.size(), 1u) << "a failed one is not kept";
}

TEST_F(SessionTest, RoofsAreMeasuredOnRequest) {
  Session live = session();
  EXPECT_EQ(live.measure_roofs(Work::roofs), 0u) << "nothing is known to measure yet";
  poll_until(live, [&] { return !live.starting(); });
  for (const auto& [work, bandwidth] : {std::pair{Work::roofs, 4e12}, {Work::roofs_again, 4.1e12}}) {
    EXPECT_NE(live.measure_roofs(work), 0u);
    EXPECT_TRUE(live.busy());
    finish(live);
    ASSERT_EQ(live.log().roofs.size(), 1u);
    EXPECT_EQ(live.log().roofs.front().find(MemoryLevel::dram)->bandwidth.value, bandwidth);
  }
  EXPECT_THAT(points(live.log()), testing::IsEmpty());
}

TEST_F(SessionTest, AWorkerLostWhileProfilingLeavesNoPoint) {
  Session live = session({"--crash", "TILE=8"});
  poll_until(live, [&] { return !live.starting(); });
  live.profile(tile(8));
  finish(live);
  EXPECT_THAT(points(live.log()), testing::IsEmpty());
  EXPECT_THAT(live.last_error().value_or(""), HasSubstr("signal 11"));
}

TEST_F(SessionTest, NewestRequestWins) {
  Session live = session({"--gate", gate().string()});
  poll_until(live, [&] { return !live.starting(); });
  for (const double value : {4, 8, 16, 32}) {
    live.request(tile(value));
    live.send();
  }
  open_gate();
  finish(live);
  EXPECT_THAT(points(live.log()), ElementsAre("TILE=4", "TILE=32"));
}

TEST_F(SessionTest, SweepRunsInOrderAndCanBeCancelled) {
  Session live = session({"--gate", gate().string()});
  poll_until(live, [&] { return !live.starting(); });
  live.sweep({tile(4), tile(8), tile(16), tile(32)});
  EXPECT_EQ(live.progress()->total, 4);
  live.send();
  live.cancel_sweep();
  live.sweep({tile(16), tile(8)});
  open_gate();
  finish(live);
  EXPECT_THAT(points(live.log()), ElementsAre("TILE=4", "TILE=16", "TILE=8"));
  EXPECT_FALSE(live.progress());
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
  std::ifstream in(heard);
  for (std::string line; std::getline(in, line);) {
    const Request request = parse_request(line);
    const auto* measured = std::get_if<MeasureRequest>(&request);
    EXPECT_FALSE(measured && measured->parameters.at("TILE") == 8) << line;
  }
}

TEST_F(SessionTest, GarbageIsSkippedAndNamed) {
  Session live = session({"--garbage", "TILE=8"});
  live.request(tile(8));
  finish(live);
  EXPECT_THAT(points(live.log()), ElementsAre("TILE=8"));
  EXPECT_THAT(*live.last_error(), HasSubstr("half a li"));
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

TEST_F(SessionTest, AWorkerThatWasGivenUpIsStartedByHand) {
  Session live = session({"--crash-at-start"});
  poll_until(live, [&] { return live.given_up(); });
  EXPECT_THAT(*live.last_error(), HasSubstr("before it was ready, 3 times; the next request starts it again."));
  live.start_again();
  EXPECT_FALSE(live.given_up());
  EXPECT_TRUE(live.starting());
  poll_until(live, [&] { return live.given_up(); });
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

TEST_F(SessionTest, MuteWorkerIsGivenUp) {
  SessionOptions impatient = options({"--mute"});
  impatient.launch_limit = 100ms;
  Session live = Session(impatient);
  poll_until(live, [&] { return !live.starting(); });
  EXPECT_THAT(*live.last_error(), HasSubstr("before it was ready"));
}

Gpu another_gpu() {
  Gpu gpu;
  gpu.name = "Another GPU";
  gpu.cc = {8, 6};
  gpu.sm_count = 40;
  gpu.boost_clock = {1.5e9};
  gpu.sm = *sm_limits(gpu.cc);
  gpu.quoted_dram = {4e11};
  return gpu;
}

TEST_F(SessionTest, CompilesForAnotherGpu) {
  Session live = session();
  live.compile(tile(8), another_gpu());
  finish(live);
  const Point& point = live.log().points.back();
  EXPECT_EQ(point.gpu, "Another GPU");
  EXPECT_EQ(point.compiled->cc, (ComputeCapability{8, 6}));
  EXPECT_FALSE(point.timing);
  EXPECT_NE(live.log().roofs_of("Another GPU"), nullptr);
  EXPECT_EQ(live.device()->name, "Test GPU");
}

TEST_F(SessionTest, ASweepIsMeasuredWhateverIsCompiledMeanwhile) {
  Session live = session();
  poll_until(live, [&] { return !live.starting(); });
  live.sweep({tile(4), tile(8), tile(16)});
  live.send();
  live.compile(tile(32), another_gpu());
  finish(live);
  std::vector<std::string> gpus;
  for (const Point& point : live.log().points) {
    gpus.push_back(text(point.parameters) + " " + point.gpu + (point.timing ? " timed" : ""));
  }
  EXPECT_THAT(gpus, ::testing::UnorderedElementsAre("TILE=4 Test GPU timed", "TILE=8 Test GPU timed",
                                                    "TILE=16 Test GPU timed", "TILE=32 Another GPU"));
}

TEST_F(SessionTest, ARecordingIsKnownAndNotJournaledAgain) {
  const auto recording = journal().parent_path() / "recording.jsonl";
  {
    Session live = session();
    live.sweep({tile(4), tile(8)});
    finish(live);
  }
  std::filesystem::rename(journal(), recording);
  SessionOptions with_recording = options({"--no-device"});
  with_recording.recording = recording;
  {
    Session replay(with_recording);
    EXPECT_THAT(points(replay.log()), ElementsAre("TILE=4", "TILE=8"));
    EXPECT_EQ(replay.device(), nullptr);
    EXPECT_GT(replay.compile(tile(16), another_gpu()), replay.log().points.back().id);
    finish(replay);
    EXPECT_THAT(points(replay.log()), ElementsAre("TILE=4", "TILE=8", "TILE=16"));
  }
  EXPECT_THAT(points(platform::load_session(journal())), ElementsAre("TILE=16"));
}

// Of so many points, each 10 kB long.
void write_recording(const std::filesystem::path& file, int points) {
  platform::Journal journal(file);
  journal.append(Header{});
  for (int i = 1; i <= points; ++i) {
    Point point;
    point.id = static_cast<std::uint64_t>(i);
    point.kernel = "sgemm_tiled";
    point.notes = {std::string(10'000, 'x')};
    point.final = true;
    journal.append(point);
  }
}

TEST_F(SessionTest, ALongRecordingIsReadBetweenFrames) {
  const auto recording = journal().parent_path() / "long.jsonl";
  write_recording(recording, 1500);
  SessionOptions with_recording = options();
  with_recording.recording = recording;
  Session live(with_recording);
  ASSERT_TRUE(live.reading());
  EXPECT_TRUE(live.starting());
  EXPECT_FALSE(live.given_up());
  EXPECT_EQ(live.progress()->what, "Reading long.jsonl, MB");
  EXPECT_EQ(live.progress()->total, 15);
  const std::size_t at_once = live.log().points.size();
  EXPECT_LT(at_once, 1500u);
  poll_until(live, [&] { return !live.starting(); });
  EXPECT_EQ(live.log().points.size(), 1500u);
  EXPECT_FALSE(live.progress());
  EXPECT_EQ(live.device()->name, "Test GPU");
  EXPECT_EQ(live.request(tile(8)), 1501u);
}

TEST_F(SessionTest, ARequestWaitsForTheRestOfALongRecording) {
  const auto recording = journal().parent_path() / "long.jsonl";
  write_recording(recording, 1500);
  SessionOptions with_recording = options();
  with_recording.recording = recording;
  Session live(with_recording);
  EXPECT_EQ(live.request(tile(8)), 1501u);
  EXPECT_FALSE(live.reading());
  finish(live);
  EXPECT_EQ(points(live.log()).back(), "TILE=8");
}

TEST_F(SessionTest, ARecordingThatCannotBeReadIsNamed) {
  SessionOptions with_recording = options();
  with_recording.recording = "/no/such/recording.jsonl";
  try {
    Session session(with_recording);
    FAIL() << "it was read";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("/no/such/recording.jsonl"));
  }
}

TEST_F(SessionTest, WithoutAPointThereIsNoFile) {
  {
    Session live = session();
    poll_until(live, [&] { return !live.starting(); });
  }
  EXPECT_FALSE(std::filesystem::exists(journal()));
}

TEST_F(SessionTest, WhatNoJournalTakesIsKeptUntilOneDoes) {
  std::filesystem::create_directory(journal());  // no file can be opened there
  Session live = session();
  live.request(tile(4));
  finish(live);
  EXPECT_THAT(live.take_journal_trouble().value_or(""), HasSubstr("journal.jsonl is no plain file"));
  live.request(tile(16));
  finish(live);
  EXPECT_EQ(live.take_journal_trouble(), std::nullopt) << "told once";
  EXPECT_THAT(points(live.log()), ElementsAre("TILE=4", "TILE=16"));
  std::filesystem::remove(journal());
  live.request(tile(8));
  finish(live);
  EXPECT_EQ(live.last_error(), std::nullopt);
  EXPECT_THAT(points(platform::load_session(journal())), ElementsAre("TILE=4", "TILE=16", "TILE=8"));
}

TEST_F(SessionTest, WithoutAPlaceForAJournalItMeasuresAllTheSame) {
  const char* before = std::getenv("XDG_STATE_HOME");
  const std::string kept = before ? before : "";
  std::ofstream(gate()) << "a file, where a folder is needed";
  setenv("XDG_STATE_HOME", gate().c_str(), 1);
  SessionOptions unkept = options();
  unkept.journal.clear();
  Session live = Session(unkept);
  before ? setenv("XDG_STATE_HOME", kept.c_str(), 1) : unsetenv("XDG_STATE_HOME");
  EXPECT_THAT(live.take_journal_trouble().value_or(""),
              HasSubstr("What is measured now is not kept: cannot create"));
  live.sweep({tile(8), tile(16)});
  finish(live);
  EXPECT_THAT(points(live.log()), ElementsAre("TILE=8", "TILE=16"));
  EXPECT_EQ(live.take_journal_trouble(), std::nullopt);
  EXPECT_TRUE(live.journal_file().empty());
}

// A process measures and is killed without warning in the moment a point appears in its log.
TEST_F(SessionTest, JournalHoldsWhateverWasSeenBeforeAKill) {
  const SessionOptions as_told = options();
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    Session live = Session(as_told);
    live.sweep({tile(4), tile(8), tile(16)});
    while (live.log().points.size() < 2 || !live.log().points[1].final) {
      live.send();
      live.wait(10ms);
      live.poll();
    }
    ::kill(getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  const auto left = points(platform::load_session(journal()));
  ASSERT_GE(left.size(), 2u);
  EXPECT_EQ(left[0], "TILE=4");
  EXPECT_EQ(left[1], "TILE=8");
}

}  // namespace
}  // namespace rooftile
