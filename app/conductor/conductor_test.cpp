#include "app/conductor/conductor.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>

#include "analysis/error.hpp"
#include "analysis/format.hpp"
#include "analysis/platform/session_files.hpp"
#include "analysis/source_kernels.hpp"
#include "app/scene/chart.hpp"

namespace rooftile::conductor {
namespace {

using namespace std::chrono_literals;
using scene::Message;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::filesystem::path bundled = ROOFTILE_SOURCE_DIR "/assets/sessions/h100_h200.jsonl";

class ConductorTest : public testing::Test {
 protected:
  ConductorTest() { std::filesystem::create_directories(folder_); }
  ~ConductorTest() override { std::filesystem::remove_all(folder_); }

  CommandLine with(std::vector<std::string> script = {}) const {
    CommandLine wanted;
    wanted.worker = {SCRIPTED_WORKER};
    wanted.worker.insert(wanted.worker.end(), script.begin(), script.end());
    wanted.journal = folder_ / "journal.jsonl";
    wanted.kernel = "sgemm_tiled";
    return wanted;
  }
  std::filesystem::path file(const char* name) const { return folder_ / name; }
  void touch(const char* name) const { std::ofstream(file(name)) << "now"; }

 private:
  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      (std::string("conductor_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

Conductor conductor(const CommandLine& wanted) {
  return Conductor(wanted, scene::Settings{}, std::nullopt);
}

// What the status line offers.
bool counts_down(const Conductor& conductor) {
  const auto& waited = conductor.state().session.waited;
  return waited && waited->value >= scene::long_wait.value;
}

// Frames of a window, until it holds. A test that waits for longer than a minute has failed.
template <class Condition>
void frames_until(Conductor& conductor, Condition condition) {
  const auto start = std::chrono::steady_clock::now();
  for (double now = conductor.state().now; !condition(); now += 0.016) {
    ASSERT_LT(std::chrono::steady_clock::now() - start, 60s) << conductor.state().session.device;
    conductor.send();
    conductor.wait(10ms);
    conductor.news(now);
  }
}

void settle(Conductor& conductor) {
  frames_until(conductor, [&] { return conductor.resting(); });
}

// The launches of the trail, oldest first: "TILE=8", for another GPU than the device "TILE=8 on T4".
std::vector<std::string> trail(const Conductor& conductor) {
  const scene::AppState& state = conductor.state();
  std::vector<std::string> launches;
  for (const std::uint64_t id : state.choice.trail) {
    const auto point = std::ranges::find(state.session.log->points, id, &Point::id);
    launches.push_back("TILE=" + number(point->parameters.at("TILE")) +
                       (point->gpu == state.session.device ? "" : " on " + point->gpu));
  }
  return launches;
}

std::string message(const Conductor& conductor) {
  return conductor.state().view.message.value_or(Message{}).text;
}

TEST_F(ConductorTest, TheDeviceOfTheWorkerIsChosenAndTheFirstDialsAreMeasured) {
  Conductor live = conductor(with());
  EXPECT_TRUE(live.state().session.starting);
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

constexpr const char* own_kernel = R"toml(
[[parameter]]
name = "TILE"
values = [8, 16]
default = 8

[[buffer]]
name = "out"
count = 1024
role = "output"

[launch]
arguments = [{ buffer = "out" }]
grid = 1
block = "TILE"
)toml";

TEST_F(ConductorTest, ASourceThatIsSavedIsMeasuredAgain) {
  const std::filesystem::path folder = file("own");
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "kernel.toml") << own_kernel;
  std::ofstream(folder / "own.cu") << "// first";
  CommandLine wanted = with();
  wanted.kernel_folders = {folder.parent_path()};
  wanted.kernel = "own";
  Conductor live = conductor(wanted);
  settle(live);
  EXPECT_THAT(trail(live), ElementsAre("TILE=8"));
  std::ofstream(folder / "own.cu") << "// second";
  std::filesystem::last_write_time(folder / "own.cu", std::filesystem::file_time_type::clock::now() + 1s);
  frames_until(live, [&] { return trail(live).size() == 2; });
  EXPECT_EQ(message(live), "own.cu was saved: it is compiled again.");
  settle(live);
  EXPECT_THAT(trail(live), ElementsAre("TILE=8", "TILE=8"));
}

TEST_F(ConductorTest, ASourceThatIsDroppedBecomesAKernelAndIsMeasured) {
  const std::filesystem::path source = file("mine.cu"), description = file("description");
  std::ofstream(source) << "__global__ void mine(float* out, int n) {}";
  std::ofstream(description) << to_line(std::vector<SourceKernel>{{"mine", {"float*", "int"}}});
  Conductor live = conductor(with({"--description", description.string()}));
  settle(live);
  live.open(source);
  EXPECT_EQ(message(live), "");
  frames_until(live, [&] { return !live.state().choice.trail.empty() && live.resting(); });
  EXPECT_EQ(live.state().choice.kernel, "mine");
  ASSERT_NE(current_point(live.state()), nullptr);
  EXPECT_EQ(current_point(live.state())->kernel, "mine");
  live.open("notes.txt");
  EXPECT_EQ(message(live), "notes.txt is no CUDA source: drop a .cu file.");
  EXPECT_EQ(live.state().choice.kernel, "mine");
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

TEST_F(ConductorTest, ASweepGoesOnWhileAnotherGpuIsLookedAt) {
  Conductor live = conductor(with({"--gate", file("open").string()}));
  frames_until(live, [&] { return !live.state().session.starting; });
  live.apply({scene::StartSweep{}});
  live.apply({scene::SelectGpu{"T4"}});
  touch("open");
  settle(live);
  const auto& points = live.state().session.log->points;
  const auto of_device = [](const Point& point) { return point.gpu == "Test GPU" && point.timing; };
  EXPECT_EQ(std::ranges::count_if(points, of_device), 36);
  EXPECT_EQ(live.state().choice.gpu, "T4");
}

TEST_F(ConductorTest, AKernelIsCompiledForTheGpuThatIsChosen) {
  Conductor live = conductor(with());
  settle(live);
  live.apply({scene::SelectGpu{"T4"}});
  settle(live);
  EXPECT_EQ(mode(live.state()), scene::Mode::predicted);
  ASSERT_TRUE(live.state().shown.subject);
  EXPECT_TRUE(live.state().shown.subject->occupancy);
  live.apply({scene::SelectGpu{"Test GPU"}});
  settle(live);
  EXPECT_EQ(mode(live.state()), scene::Mode::live);
}

TEST_F(ConductorTest, ARecordingIsCompiledForAnotherGpuToo) {
  CommandLine wanted = with({"--no-device"});
  wanted.session = bundled;
  Conductor replay = conductor(wanted);
  EXPECT_EQ(mode(replay.state()), scene::Mode::recorded) << "shown at once";
  settle(replay);
  EXPECT_EQ(mode(replay.state()), scene::Mode::recorded);
  replay.apply({scene::SelectGpu{"T4"}});
  settle(replay);
  ASSERT_TRUE(replay.state().shown.subject);
  EXPECT_TRUE(replay.state().shown.subject->occupancy);
  EXPECT_EQ(message(replay), "") << "nobody asked for a device";
}

TEST_F(ConductorTest, ALongRecordingIsReadWhileTheWindowIsDrawn) {
  const std::filesystem::path thrice = file("thrice.jsonl");
  for (int i = 0; i < 3; ++i) {
    std::ofstream(thrice, std::ios::app) << std::ifstream(bundled).rdbuf();
  }
  std::ofstream(thrice, std::ios::app) << "nonsense\n";
  CommandLine wanted = with({"--no-device"});
  wanted.session = thrice;
  Conductor replay = conductor(wanted);
  EXPECT_TRUE(replay.state().session.reading);
  EXPECT_TRUE(replay.state().session.progress);
  frames_until(replay, [&] { return !replay.state().session.reading; });
  EXPECT_EQ(mode(replay.state()), scene::Mode::recorded) << "before the worker is ready";
  EXPECT_THAT(message(replay), HasSubstr("thrice.jsonl:6565: not JSON"));
  settle(replay);
  EXPECT_EQ(mode(replay.state()), scene::Mode::recorded);
  EXPECT_FALSE(replay.state().session.progress);
}

TEST_F(ConductorTest, WhereNoDeviceIsFoundTheRecordingIsShownAndWhySaid) {
  Conductor replay(with({"--no-device"}), scene::Settings{}, bundled);
  settle(replay);
  EXPECT_EQ(mode(replay.state()), scene::Mode::recorded);
  EXPECT_EQ(message(replay), "There is no GPU. Use a machine with a GPU.") << "a worker was asked for";
}

TEST_F(ConductorTest, AWorkerThatCannotStartIsToldOfBesideTheRecording) {
  CommandLine wanted = with();
  wanted.worker = {"/no/such/worker"};
  Conductor replay(wanted, scene::Settings{}, bundled);
  settle(replay);
  EXPECT_EQ(mode(replay.state()), scene::Mode::recorded);
  EXPECT_FALSE(replay.state().session.compiles);
  EXPECT_THAT(message(replay), HasSubstr("/no/such/worker"));
}

TEST_F(ConductorTest, LiveWithoutADeviceSaysWhyAndPredicts) {
  CommandLine wanted = with({"--no-device"});
  wanted.live = true;
  Conductor predicted(wanted, scene::Settings{}, bundled);
  settle(predicted);
  EXPECT_EQ(mode(predicted.state()), scene::Mode::predicted);
  EXPECT_EQ(message(predicted), "There is no GPU. Use a machine with a GPU.");
}

TEST_F(ConductorTest, AJournalThatTakesNothingIsToldOnceAndHindersNothing) {
  CommandLine wanted = with();
  wanted.journal = file("folder");
  std::filesystem::create_directory(wanted.journal);
  Conductor live = conductor(wanted);
  settle(live);
  EXPECT_THAT(message(live), HasSubstr("What is measured now is not kept: "));
  live.news(live.state().now + scene::message_seconds + 1);
  live.apply({scene::SetParameter{"TILE", 8}});
  settle(live);
  EXPECT_EQ(message(live), "");
  EXPECT_THAT(trail(live), Contains("TILE=8"));
}

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

TEST_F(ConductorTest, AnUndoneLaunchDoesNotComeBackWithTheNextOne) {
  Conductor live = conductor(with());
  settle(live);
  live.apply({scene::SetParameter{"TILE", 8}});
  settle(live);
  live.apply({scene::Undo{}});
  EXPECT_THAT(trail(live), ElementsAre("TILE=16"));
  live.apply({scene::SetParameter{"TILE", 32}});
  settle(live);
  EXPECT_THAT(trail(live), ElementsAre("TILE=16", "TILE=32"));
}

TEST_F(ConductorTest, TheLinesOfALaunchAreCountedWhenAskedFor) {
  Conductor live = conductor(with());
  settle(live);
  live.apply({scene::CountLines{}});
  settle(live);
  EXPECT_EQ(live.state().session.log->profiles.size(), 1u);
}

TEST_F(ConductorTest, RoofsAreMeasuredAnewWhenAskedFor) {
  Conductor live = conductor(with());
  settle(live);
  live.apply({scene::MeasureRoofs{}});
  settle(live);
  EXPECT_EQ(live.state().session.log->roofs_of("Test GPU")->find(MemoryLevel::dram)->bandwidth.value, 4.1e12);
}

TEST_F(ConductorTest, ACancelledSweepEnds) {
  Conductor live = conductor(with({"--gate", file("open").string()}));
  frames_until(live, [&] { return !live.state().session.starting; });
  live.apply({scene::StartSweep{}});
  live.news(live.state().now);
  EXPECT_TRUE(live.state().session.progress);
  live.apply({scene::CancelSweep{}});
  touch("open");
  settle(live);
  EXPECT_LE(live.state().session.log->points.size(), 2u);
  EXPECT_FALSE(live.state().session.progress);
}

TEST_F(ConductorTest, APausedSweepRestsAndGoesOn) {
  Conductor live = conductor(with({"--gate", file("open").string()}));
  frames_until(live, [&] { return !live.state().session.starting; });
  live.apply({scene::StartSweep{}});
  live.apply({scene::PauseSweep{}});
  touch("open");
  settle(live);
  EXPECT_TRUE(live.state().session.sweep_paused);
  EXPECT_TRUE(live.state().session.progress) << "it is not over";
  const std::size_t before = live.state().session.log->points.size();
  EXPECT_LT(before, 36u);
  live.apply({scene::PauseSweep{}});
  settle(live);
  EXPECT_GE(live.state().session.log->points.size(), 36u);
  EXPECT_FALSE(live.state().session.progress);
}

TEST_F(ConductorTest, ASweepOfWhichSomeFailsKeepsTheRestAndSaysWhy) {
  Conductor live = conductor(with({"--wrong", "TILE=8"}));
  settle(live);
  live.apply({scene::ToggleSweep{}, scene::StartSweep{}});
  settle(live);
  EXPECT_THAT(live.state().shown.sweep_news,
              ElementsAre("36 of 36 launches done.", HasSubstr("9 failed, the first: The result is wrong")));
}

TEST_F(ConductorTest, TheBestIsFoundInAPartOfTheLaunchesAndTheDialsGoThere) {
  Conductor live = conductor(with({"--wrong", "TILE=32"}));
  settle(live);
  live.apply({scene::FindBest{}});
  EXPECT_TRUE(live.state().session.progress);
  settle(live);
  EXPECT_THAT(message(live), HasSubstr("of 36 places tried. "));
  EXPECT_LT(live.state().session.log->points.size(), 15u);
  EXPECT_FALSE(current_point(live.state())->failure);
  EXPECT_EQ(current_point(live.state())->parameters, dialled(live.state()));
}

TEST_F(ConductorTest, TheBestIsSavedAsConstantsAndAsJson) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(file(""));
  Conductor live = conductor(with());
  settle(live);
  for (const auto& [action, name] :
       {std::pair<scene::Action, const char*>{scene::SaveConstants{}, "rooftile-1.hpp"},
        {scene::SaveWinner{}, "rooftile-1.json"}}) {
    live.apply({action});
    EXPECT_THAT(message(live), HasSubstr(name));
    EXPECT_TRUE(std::filesystem::exists(name));
  }
  std::filesystem::current_path(before);
}

TEST_F(ConductorTest, ThePictureIsLeftToTheWindowAndTheSessionIsSaved) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(file(""));
  Conductor live = conductor(with());
  settle(live);
  EXPECT_EQ(live.apply({scene::ExportPicture{}}).value_or("").filename(), "rooftile-1.png");
  EXPECT_EQ(live.apply({scene::ExportSession{}}), std::nullopt);
  EXPECT_THAT(message(live), HasSubstr("rooftile-1.jsonl"));
  EXPECT_TRUE(std::filesystem::exists("rooftile-1.jsonl"));
  EXPECT_TRUE(std::filesystem::exists("rooftile-1.csv"));
  std::filesystem::current_path(before);
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

TEST_F(ConductorTest, WhatIsWrongInAnActionIsToldAndTheLoopGoesOn) {
  Conductor live = conductor(with());
  settle(live);
  EXPECT_EQ(live.apply({scene::SelectKernel{"sgemm_tilde"}}), std::nullopt);
  EXPECT_THAT(message(live), HasSubstr("sgemm_tilde"));
  EXPECT_EQ(live.state().choice.kernel, "sgemm_tiled");
  EXPECT_EQ(live.apply({}), std::nullopt);
}

TEST_F(ConductorTest, EachSavedFileHasANameThatIsFree) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(file(""));
  Conductor live = conductor(with());
  settle(live);
  for (const char* name : {"rooftile-1.jsonl", "rooftile-2.jsonl"}) {
    live.apply({scene::ExportSession{}});
    EXPECT_THAT(message(live), testing::AllOf(testing::StartsWith("Saved "), HasSubstr(name)));
    EXPECT_EQ(platform::load_session(name).points.size(), 1u);
  }
  std::filesystem::current_path(before);
}

TEST_F(ConductorTest, ALaunchIsInTheJournalBeforeItIsShown) {
  Conductor live = conductor(with());
  frames_until(live, [&] {
    const bool shown = current_point(live.state()) != nullptr;
    EXPECT_TRUE(!shown || !platform::load_session(file("journal.jsonl")).points.empty());
    return shown;
  });
}

TEST_F(ConductorTest, WhatWaitsIsSentOnceAndThenTheDeviceIsBusy) {
  Conductor live = conductor(with({"--gate", file("open").string()}));
  frames_until(live, [&] { return !live.state().session.starting; });
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

TEST_F(ConductorTest, ALongLaunchIsCountedDownAndStopped) {
  Conductor live = conductor(with({"--hang", "TILE=32"}));
  frames_until(live, [&] { return live.state().session.device == "Test GPU" && live.resting(); });
  live.apply({scene::SetParameter{"TILE", 32}});
  frames_until(live, [&] { return counts_down(live); });
  EXPECT_NEAR(live.state().session.gives_up_in->value + live.state().session.waited->value, 60, 0.1);
  live.apply({scene::WaitLonger{}});
  EXPECT_FALSE(counts_down(live));
  live.apply({scene::StopLaunch{}});
  frames_until(live, [&] { return live.resting() && live.state().session.device == "Test GPU"; });
  EXPECT_THAT(live.state().session.log->points.back().failure.value_or(""),
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
  frames_until(live, [&] { return live.state().session.worker_given_up; });
  EXPECT_EQ(live.state().choice.gpu, "Test GPU");
  EXPECT_THAT(live.state().shown.device, HasSubstr("Test GPU"));
  EXPECT_EQ(mode(live.state()), scene::Mode::recorded) << "what it measured stays";
}

TEST_F(ConductorTest, AWorkerThatWasGivenUpIsStartedByHandAndItsGpuIsShown) {
  CommandLine wanted = with();
  const std::string mended = file("worker").string();
  std::filesystem::create_symlink("/bin/false", mended);
  wanted.worker = {mended};
  wanted.live = true;
  Conductor live = conductor(wanted);
  frames_until(live, [&] { return live.state().session.worker_given_up; });
  EXPECT_NE(scene::mode(live.state()), scene::Mode::live);
  std::filesystem::remove(mended);
  std::filesystem::create_symlink(SCRIPTED_WORKER, mended);
  live.apply({scene::StartWorker{}});
  frames_until(live, [&] { return live.state().session.device == "Test GPU" && live.resting(); });
  EXPECT_EQ(live.state().choice.gpu, "Test GPU");
  EXPECT_EQ(scene::mode(live.state()), scene::Mode::live);
}

TEST_F(ConductorTest, ASecondSessionStandsBesideTheFirst) {
  std::filesystem::copy_file(bundled, file("after.jsonl"));
  CommandLine wanted = with();
  wanted.session = bundled;
  wanted.beside = {file("after.jsonl")};
  Conductor both = conductor(wanted);
  frames_until(both, [&] { return !both.state().session.starting; });
  const scene::AppState& state = both.state();
  EXPECT_EQ(state.session.log->devices.size(), 4u);
  EXPECT_EQ(state.view.beside, state.choice.gpu + " (after)");
  ASSERT_THAT(state.shown.chart.beside, testing::Not(IsEmpty()));
  EXPECT_THAT(state.shown.chart.legend.back(), HasSubstr("1.00x as long")) << "it is the same launch";
}

TEST_F(ConductorTest, WhatIsNoSessionBesideTheFirstIsToldAndTheFirstIsShown) {
  touch("notes.txt");
  CommandLine wanted = with();
  wanted.session = bundled;
  wanted.beside = {file("notes.txt")};
  Conductor both = conductor(wanted);
  frames_until(both, [&] { return !both.state().session.starting; });
  EXPECT_EQ(both.state().session.log->devices.size(), 2u);
  ASSERT_TRUE(both.state().view.message);
  EXPECT_THAT(both.state().view.message->text, HasSubstr("notes.txt"));
  wanted.beside = {file("missing.jsonl")};
  EXPECT_THROW(conductor(wanted), Error);
}

}  // namespace
}  // namespace rooftile::conductor
