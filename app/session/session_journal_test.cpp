// A session's knowledge from a recording, and what it leaves in its journal.
#include <sys/wait.h>
#include <unistd.h>

#include <set>

#include "analysis/platform/session_files.hpp"
#include "analysis/text/error.hpp"
#include "app/session/session_test.hpp"

namespace rooftile {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

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

// A file of so many points, each 10 kB long.
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
  EXPECT_THAT(live.take_journal_trouble().value_or(""), HasSubstr("journal.jsonl is not a regular file"));
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

TEST_F(SessionTest, TheJournalIsHeldFromTheStart) {
  Session live = session();
  EXPECT_THROW(platform::save_session({}, journal()), Error) << "before there is a point";
  live.request(tile(8));
  finish(live);
  EXPECT_THROW(platform::save_session({}, journal()), Error);
  live.tidy_journal();
  EXPECT_THROW(platform::save_session({}, journal()), Error);
  live.request(tile(16));
  finish(live);
  EXPECT_THAT(points(platform::load_session(journal())), ElementsAre("TILE=8", "TILE=16"));
}

TEST_F(SessionTest, ManyThatBeginTogetherHaveJournalsOfTheirOwn) {
  const char* before = std::getenv("XDG_STATE_HOME");
  const std::string kept = before ? before : "";
  setenv("XDG_STATE_HOME", journal().parent_path().c_str(), 1);
  std::vector<KeptLog> all;
  std::set<std::filesystem::path> files;
  for (int i = 0; i < 50; ++i) {
    all.push_back(KeptLog::begin({}));
    EXPECT_EQ(all.back().take_trouble(), std::nullopt);
    files.insert(all.back().file());
  }
  before ? setenv("XDG_STATE_HOME", kept.c_str(), 1) : unsetenv("XDG_STATE_HOME");
  EXPECT_EQ(files.size(), all.size());
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
              HasSubstr("New measurements are not kept: cannot create"));
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
