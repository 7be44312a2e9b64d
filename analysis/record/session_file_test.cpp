#include "analysis/record/session_file.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

Point launch(std::uint64_t id, const std::string& kernel, bool final) {
  Point point;
  point.id = id;
  point.kernel = kernel;
  point.final = final;
  return point;
}

DeviceRecord device(const std::string& name, int sm_count) {
  DeviceRecord device;
  device.gpu.name = name;
  device.gpu.sm_count = sm_count;
  device.gpu.boost_clock = {1e9};
  device.gpu.l2_size = {1e6};
  device.gpu.sm = *sm_limits({9, 0});
  return device;
}

RoofsRecord roofs(const std::string& gpu, double bandwidth) {
  return {{gpu, {{MemoryLevel::dram, {bandwidth}, Origin::measured, ""}}, {}}};
}

Header plain_header() {
  Header header;
  header.made_by = "rooftile";
  header.host = "laptop";
  return header;
}

SourceProfile profile(std::uint64_t id, const std::string& kernel) {
  SourceProfile profile;
  profile.id = id;
  profile.kernel = kernel;
  return profile;
}

// "1 naive", "2 tiled ..." with dots for a launch that is not final.
std::vector<std::string> launches(const SessionLog& log) {
  std::vector<std::string> launches;
  for (const Point& point : log.points) {
    launches.push_back(std::to_string(point.id) + " " + point.kernel + (point.final ? "" : " ..."));
  }
  return launches;
}

const std::string header_line = to_line(plain_header()) + "\n";

std::string complaint_of(const std::string& text) {
  try {
    read_session(text, "session.jsonl");
  } catch (const Error& error) {
    return error.what();
  }
  return "no complaint";
}

std::vector<std::string> launches_in(const std::string& text) {
  return launches(read_session(text, "session.jsonl"));
}

TEST(SessionFile, AfterManyLinesThatCannotBeReadTheRestIsLeftOut) {
  std::string text = header_line;
  for (int i = 0; i < 20'000; ++i) {
    text += "x\n";
  }
  const SessionLog log = read_session(text + to_line(launch(1, "k", true)) + "\n", "session.jsonl");
  EXPECT_LE(log.left_out.size(), 10'001u);
  EXPECT_THAT(log.left_out.back(), HasSubstr("the rest of the file is left out"));
  EXPECT_TRUE(log.points.empty());
}

TEST(SessionFile, HoldsSoManyGpus) {
  std::string text = header_line;
  for (int i = 0; i < 2'000; ++i) {
    text += to_line(device("gpu" + std::to_string(i), 1)) + "\n" +
            to_line(roofs("gpu" + std::to_string(i), 1e12)) + "\n";
  }
  const SessionLog log = read_session(text + to_line(device("gpu7", 9)) + "\n", "session.jsonl");
  EXPECT_EQ(log.devices.size(), 1'000u);
  EXPECT_LE(log.roofs.size(), 1'000u);
  EXPECT_EQ(log.gpu("gpu7")->sm_count, 9) << "a known one may change";
  EXPECT_EQ(log.left_out.size(), 2'000u);
  EXPECT_THAT(log.left_out.front(), HasSubstr("session.jsonl:2002: more than 1,000 GPUs"));
}

TEST(SessionFile, ALaunchWithANameWithoutMeasureIsLeftOut) {
  const SessionLog log = read_session(header_line + to_line(launch(1, std::string(1'000'000, 'k'), true)) +
                                          "\n" + to_line(launch(2, "k", true)) + "\n",
                                      "session.jsonl");
  EXPECT_THAT(launches(log), ElementsAre("2 k"));
  EXPECT_THAT(log.left_out,
              ElementsAre("session.jsonl:2: a text has 1,000,000 letters; at most 10,000 are read"));
}

TEST(SessionFile, AFirstLineWithoutAnEndIsNoSession) {
  SessionLog log;
  SessionReader reader(log, "session.jsonl");
  const std::string zeros(1 << 20, '\0');
  EXPECT_THAT(
      [&] {
        for (int megabyte = 0; megabyte < 1000; ++megabyte) {
          reader.read(zeros);
        }
      },
      testing::ThrowsMessage<Error>(HasSubstr("the first line has no end")));
}

TEST(SessionLog, KeepsTheNewestStateOfEachLaunchInLaunchOrder) {
  SessionLog log;
  log.add(launch(1, "predicted", false));
  log.add(launch(2, "other", false));
  log.add(launch(1, "counted", true));
  log.add(Progress{"ignored", 1, 2});
  EXPECT_THAT(launches(log), ElementsAre("1 counted", "2 other ..."));
}

TEST(SessionLog, FindsALaunchByItsId) {
  SessionLog log;
  log.add(launch(1, "first run", true));
  log.add(launch(1, "second run", true));
  EXPECT_THAT(launches(log), ElementsAre("1 first run", "1 second run"));
  EXPECT_EQ(log.point(1)->kernel, "second run");
  EXPECT_EQ(log.point(2), nullptr);
}

TEST(SessionLog, KeepsOneDeviceAndOneSetOfRoofsAGpu) {
  SessionLog log;
  for (const int sms : {130, 132}) {
    log.add(device("H200", sms));
    log.add(roofs("H200", sms * 1e10));
  }
  log.add(device("H100", 114));
  ASSERT_EQ(log.devices.size(), 2);
  EXPECT_EQ(log.gpu("H200")->sm_count, 132);
  EXPECT_EQ(log.gpu("A100"), nullptr);
  ASSERT_EQ(log.roofs.size(), 1);
  EXPECT_EQ(log.roofs_of("H200")->memory.at(0).bandwidth, BytesPerSecond{132e10});
  EXPECT_EQ(log.roofs_of("H100"), nullptr);
}

TEST(SessionLog, KeepsTheNewestProfileOfALaunch) {
  SessionLog log;
  log.add(profile(1, "tiled"));
  log.add(profile(2, "naive"));
  log.add(profile(3, "tiled"));
  ASSERT_EQ(log.profiles.size(), 2);
  EXPECT_EQ(log.profile_of(launch(9, "tiled", true))->id, 3);
  EXPECT_EQ(log.profile_of(launch(9, "other", true)), nullptr);
}

TEST(SessionFile, ATextCutAnywhereInItsLastLineLosesThatLine) {
  const std::string one = header_line + to_line(launch(1, "one", true)) + "\n";
  const std::string two = to_line(launch(2, "two", true));
  for (std::size_t length = 1; length < two.size(); ++length) {
    const SessionLog log = read_session(one + two.substr(0, length), "s.jsonl");
    EXPECT_THAT(launches(log), ElementsAre("1 one")) << length;
    EXPECT_THAT(log.left_out, ElementsAre("s.jsonl:3: the last line is cut off")) << length;
  }
  EXPECT_THAT(launches_in(one + two), ElementsAre("1 one", "2 two"));
}

TEST(SessionFile, ErrorsNameFileAndLine) {
  const struct {
    std::string text;
    const char* complaint;
  } rows[] = {
      {to_line(launch(1, "one", true)) + "\n", "session.jsonl:1: expected a header"},
      {"{\"record\": \"thoughts\"}\n", "session.jsonl:1: expected a header"},
      {"<html>", "session.jsonl:1: not JSON"},
      {"{\"record\": \"header\", \"version\": 99}", "session.jsonl:1: the records are of version 99"},
      {"", "session.jsonl: is empty"},
  };
  for (const auto& row : rows) {
    EXPECT_THAT(complaint_of(row.text), HasSubstr(row.complaint));
  }
}

TEST(SessionFile, ABadLineIsNamedAndTheOthersAreRead) {
  const SessionLog log = read_session(
      header_line + "nonsense\n\n{\"record\": \"point\"}\n" + to_line(launch(1, "one", true)) + "\n",
      "s.jsonl");
  EXPECT_THAT(launches(log), ElementsAre("1 one"));
  EXPECT_THAT(log.left_out, ElementsAre(StartsWith("s.jsonl:2: not JSON from byte 2 on"),
                                        StartsWith("s.jsonl:4: point.id is missing")));
}

TEST(SessionFile, PiecesOfAnySizeGiveTheSameLog) {
  const std::string text = header_line + to_line(launch(1, "one", true)) + "\nnonsense\n\n" +
                           to_line(launch(2, "two", true)) + "\n" + to_line(launch(3, "three", true));
  for (std::size_t size = 1; size <= text.size(); ++size) {
    SessionLog log;
    SessionReader reader(log, "s.jsonl");
    for (std::size_t at = 0; at < text.size(); at += size) {
      reader.read(std::string_view(text).substr(at, size));
    }
    reader.finish();
    EXPECT_THAT(launches(log), ElementsAre("1 one", "2 two", "3 three")) << size;
    EXPECT_THAT(log.left_out, ElementsAre(StartsWith("s.jsonl:3: not JSON"))) << size;
  }
}

TEST(SessionFile, ALineThatDoesNotEndIsLeftOut) {
  SessionLog log;
  SessionReader reader(log, "s.jsonl");
  reader.read(header_line);
  const std::string piece(16 << 20, ' ');
  for (std::size_t bytes = 0; bytes <= longest_line; bytes += piece.size()) {
    reader.read(piece);
  }
  reader.read("{}\n" + to_line(launch(1, "one", true)) + "\n");
  reader.finish();
  EXPECT_THAT(launches(log), ElementsAre("1 one"));
  EXPECT_THAT(log.left_out, ElementsAre("s.jsonl:2: the line is longer than 64 MB"));
}

TEST(SessionFile, ManyBadLinesAreToldInShort) {
  EXPECT_THAT(in_short({"1", "2"}), ElementsAre("1", "2"));
  EXPECT_THAT(in_short(std::vector<std::string>(1005, "bad")),
              ElementsAre("bad", "bad", "bad", "bad", "bad", "and 1,000 more lines"));
}

TEST(SessionFile, SkipsRecordsOfANewerWriter) {
  EXPECT_THAT(
      launches_in(header_line + "{\"record\": \"thoughts\"}\n" + to_line(launch(1, "one", true)) + "\r\n"),
      ElementsAre("1 one"));
}

TEST(SessionFile, HoldsWhatIsFinalAndNoHostName) {
  SessionLog log;
  log.add(plain_header());
  log.add(device("H200", 132));
  log.add(roofs("H200", 4e12));
  log.add(launch(1, "finished", true));
  log.add(launch(2, "under way", false));
  log.add(profile(3, "finished"));
  const std::string text = session_text(log);
  const SessionLog back = read_session(text, "session.jsonl");
  EXPECT_EQ(back.devices, log.devices);
  EXPECT_EQ(back.roofs, log.roofs);
  EXPECT_EQ(back.profiles, log.profiles);
  EXPECT_THAT(launches(back), ElementsAre("1 finished"));
  EXPECT_THAT(text, AllOf(HasSubstr("rooftile"), Not(HasSubstr("laptop"))));
}

TEST(SessionFile, HoldsTheKernelsOfAProgramThatStillRuns) {
  SessionLog log;
  log.add(plain_header());
  Point point = launch(1, "of a program", false);
  point.program = ProgramLaunches{};
  log.add(point);
  EXPECT_THAT(launches(read_session(session_text(log), "session.jsonl")), ElementsAre("1 of a program ..."));
}

TEST(SessionFile, SessionsJoinedEndToEndAreASession) {
  const std::string one = header_line + to_line(launch(1, "one", true)) + "\n";
  const std::string two = header_line + to_line(launch(1, "two", true)) + "\n";
  EXPECT_THAT(launches_in(one + two), ElementsAre("1 one", "1 two"));
}

std::string note_line(int id, const std::string& words) {
  Note note;
  note.id = static_cast<std::uint64_t>(id);
  note.text = words;
  return to_line(note) + "\n";
}

std::vector<std::string> notes_of(const std::vector<std::pair<int, std::string>>& written) {
  std::string text = header_line;
  for (const auto& [id, words] : written) {
    text += note_line(id, words);
  }
  std::vector<std::string> notes;
  for (const Note& note : read_session(session_text(read_session(text, "s.jsonl")), "s.jsonl").notes) {
    notes.push_back(fmt::format("{} {}", note.id, note.text));
  }
  return notes;
}

TEST(SessionFile, NotesAreReadInTheirOrderAndTheNewestTextCounts) {
  EXPECT_THAT(notes_of({{2, "b"}, {1, "a"}, {3, "c"}}), ElementsAre("1 a", "2 b", "3 c"));
  EXPECT_THAT(notes_of({{1, "a"}, {2, "b"}, {1, "better"}}), ElementsAre("1 better", "2 b"));
  EXPECT_THAT(notes_of({{1, "a"}, {2, "b"}, {1, ""}, {7, ""}}), ElementsAre("2 b")) << "removed";
}

TEST(SessionFile, NotesWithoutEndAreLeftOut) {
  std::string text = header_line + note_line(1, std::string(10'001, 'a'));
  for (int id = 1; id <= 1'002; ++id) {
    text += note_line(id, "a");
  }
  const SessionLog log = read_session(text, "s.jsonl");
  EXPECT_EQ(log.notes.size(), 1'000);
  EXPECT_THAT(log.left_out,
              ElementsAre("s.jsonl:2: a text has 10,001 letters; at most 10,000 are read",
                          "s.jsonl:1003: more than 1,000 notes", "s.jsonl:1004: more than 1,000 notes"));
}

}  // namespace
}  // namespace rooftile
