// Recordings: alone, beside another session, and where no device is found.
#include <algorithm>
#include <fstream>
#include <iterator>

#include "analysis/text/error.hpp"
#include "app/conductor/conductor_test.hpp"

namespace rooftile::conductor {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TEST_F(ConductorTest, ARecordingIsCompiledForAnotherGpuToo) {
  CommandLine wanted = with({"--no-device"});
  wanted.session = bundled;
  Conductor replay = conductor(wanted);
  EXPECT_EQ(mode(replay.state()), scene::Mode::recorded) << "shown at once";
  settle(replay);
  EXPECT_EQ(mode(replay.state()), scene::Mode::recorded);
  replay.apply({scene::SelectGpu{"T4"}});
  settle(replay);
  ASSERT_TRUE(replay.state().derived.shown.subject);
  EXPECT_TRUE(replay.state().derived.shown.subject->occupancy);
  EXPECT_EQ(message(replay), "") << "nobody asked for a device";
}

TEST_F(ConductorTest, ALongRecordingIsReadWhileTheWindowIsDrawn) {
  const std::filesystem::path thrice = file("thrice.jsonl");
  for (int i = 0; i < 3; ++i) {
    std::ofstream(thrice, std::ios::app) << std::ifstream(bundled).rdbuf();
  }
  std::ifstream written(thrice);
  const auto lines = std::count(std::istreambuf_iterator(written), {}, '\n');
  std::ofstream(thrice, std::ios::app) << "nonsense\n";
  CommandLine wanted = with({"--no-device"});
  wanted.session = thrice;
  Conductor replay = conductor(wanted);
  EXPECT_TRUE(replay.state().known.session.reading);
  EXPECT_TRUE(replay.state().known.session.progress);
  frames_until(replay, [&] { return !replay.state().known.session.reading; });
  EXPECT_EQ(mode(replay.state()), scene::Mode::recorded) << "before the worker is ready";
  EXPECT_THAT(message(replay), HasSubstr("thrice.jsonl:" + std::to_string(lines + 1) + ": not JSON"));
  settle(replay);
  EXPECT_EQ(mode(replay.state()), scene::Mode::recorded);
  EXPECT_FALSE(replay.state().known.session.progress);
}

// Another program still writes it, and has written half a line.
TEST_F(ConductorTest, ASessionThatGrowsIsFollowed) {
  std::ifstream all(bundled);
  std::vector<std::string> lines;
  for (std::string line; lines.size() < 40 && std::getline(all, line);) {
    lines.push_back(line);
  }
  ASSERT_THAT(lines.back(), HasSubstr("\"record\":\"point\""));
  const std::filesystem::path growing = file("growing.jsonl");
  const auto write = [&](const std::string& text) { std::ofstream(growing, std::ios::app) << text; };
  const auto last = lines.size() - 1;
  for (std::size_t i = 0; i + 2 < lines.size(); ++i) {
    write(lines[i] + "\n");
  }
  CommandLine wanted = with({"--no-device"});
  wanted.session = growing;
  Conductor replay = conductor(wanted);
  settle(replay);
  const auto points = [&] { return replay.state().known.session.log->points.size(); };
  const std::size_t before = points();
  write(lines[last - 1].substr(0, 40));
  frames_until(replay, [&] { return !replay.state().known.session.log->left_out.empty(); });
  write(lines[last - 1].substr(40) + "\n" + lines[last] + "\n");
  frames_until(replay, [&] { return points() == before + 2; });
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
  // A message stays for 20 s of the window's clock, which settle() lets run fast.
  frames_until(replay, [&] { return !message(replay).empty(); });
  EXPECT_THAT(message(replay), HasSubstr("/no/such/worker"));
  settle(replay);
  EXPECT_EQ(mode(replay.state()), scene::Mode::recorded);
  EXPECT_FALSE(replay.state().known.session.compiles);
}

TEST_F(ConductorTest, LiveWithoutADeviceSaysWhyAndPredicts) {
  CommandLine wanted = with({"--no-device"});
  wanted.live = true;
  Conductor predicted(wanted, scene::Settings{}, bundled);
  settle(predicted);
  EXPECT_EQ(mode(predicted.state()), scene::Mode::predicted);
  EXPECT_EQ(message(predicted), "There is no GPU. Use a machine with a GPU.");
}

TEST_F(ConductorTest, ASecondSessionStandsBesideTheFirst) {
  std::filesystem::copy_file(bundled, file("after.jsonl"));
  CommandLine wanted = with();
  wanted.session = bundled;
  wanted.beside = {file("after.jsonl")};
  Conductor both = conductor(wanted);
  frames_until(both, [&] { return !both.state().known.session.starting; });
  const scene::AppState& state = both.state();
  EXPECT_EQ(state.known.session.log->devices.size(), 4u);
  EXPECT_EQ(state.view.beside, state.choice.gpu + " (after)");
  ASSERT_THAT(state.derived.shown.chart.beside, testing::Not(IsEmpty()));
  EXPECT_THAT(state.derived.shown.chart.legend.back(), HasSubstr("1.00x the time here"))
      << "it is the same launch";
}

TEST_F(ConductorTest, WhatIsNoSessionBesideTheFirstIsToldAndTheFirstIsShown) {
  touch("notes.txt");
  CommandLine wanted = with();
  wanted.session = bundled;
  wanted.beside = {file("notes.txt")};
  Conductor both = conductor(wanted);
  frames_until(both, [&] { return !both.state().known.session.starting; });
  EXPECT_EQ(both.state().known.session.log->devices.size(), 2u);
  ASSERT_TRUE(both.state().view.message);
  EXPECT_THAT(both.state().view.message->text, HasSubstr("notes.txt"));
  wanted.beside = {file("missing.jsonl")};
  EXPECT_THROW(conductor(wanted), Error);
}

}  // namespace
}  // namespace rooftile::conductor
