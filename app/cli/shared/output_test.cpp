// Destinations of results, and what the text of others may do there.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "analysis/platform/session_files.hpp"
#include "app/cli/shared/test_program.hpp"

namespace rooftile::cli {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Output : public CommandLine {
 protected:
  std::string recorded(const std::string& name, const std::string& tiles = "8,16") const {
    const std::string session = file(name).string();
    EXPECT_EQ(run_scripted({"sweep", "sgemm_tiled", "TILE=" + tiles, "-o", session}).how, ok);
    return session;
  }
  // No file of the program may grow beyond so many blocks of 512 bytes, as if the disk were full.
  static std::string full_disk(int blocks) {
    return "trap '' XFSZ; ulimit -f " + std::to_string(blocks) + "; ";
  }
};

TEST_F(Output, NothingIsWrittenOverWhatIsNotRooftiles) {
  const std::string session = recorded("s.jsonl"), other = recorded("other.jsonl", "4");
  write("diary.txt", "dear diary\nhalf a li");
  write("r/roofline.svg", "dear diary\nhalf a li");
  write("page.md", "dear diary\nhalf a li");
  const std::string diary = file("diary.txt").string(), pipe = file("pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const struct {
    Arguments words;
    const char* how;
    const char* sentence;
  } rows[] = {
      {{"merge", session, other, "-o", diary}, failed, "diary.txt exists and is not a session of rooftile"},
      {{"merge", session, other, "-o", session}, misused, "s.jsonl is one of the sessions to join"},
      {{"merge", session, "-o", pipe}, failed, "pipe is not a regular file"},
      {{"merge", session, "-o", "/dev/full"}, failed, "/dev/full is not a regular file"},
      {{"lines", "sgemm_tiled", "-o", diary}, failed, "diary.txt exists and is not a session of rooftile"},
      {{"sweep", "sgemm_tiled", "TILE=8", "-o", diary}, misused, "diary.txt exists already"},
      {{"report", session, "-o", file("r").string()}, failed, "roofline.svg exists and is not an SVG picture"},
      {{"report", session, "-o", file("q").string(), "--readme", pipe}, failed, "pipe is not a regular file"},
  };
  const std::string before = text_of("s.jsonl");
  for (const auto& row : rows) {
    const Outcome outcome = run_scripted(row.words);
    const auto words = ::testing::PrintToString(row.words);
    EXPECT_EQ(outcome.how, row.how) << words;
    EXPECT_THAT(outcome.err, HasSubstr(row.sentence)) << words;
    EXPECT_THAT(outcome.out, IsEmpty()) << words;
  }
  for (const char* name : {"diary.txt", "r/roofline.svg", "page.md"}) {
    EXPECT_EQ(text_of(name), "dear diary\nhalf a li");
  }
  EXPECT_EQ(text_of("s.jsonl"), before);
}

TEST_F(Output, LinesAddTheirLaunchToASession) {
  const std::string kept = file("s.jsonl").string();
  for (const char* tile : {"TILE=8", "TILE=16", "TILE=32"}) {
    EXPECT_EQ(run_scripted({"lines", "sgemm_tiled", tile, "-o", kept}).how, ok) << tile;
  }
  std::vector<double> tiles;
  const SessionLog log = platform::load_session(kept);
  for (const Point& point : log.points) {
    tiles.push_back(point.parameters.at("TILE"));
  }
  EXPECT_THAT(tiles, ElementsAre(8, 16, 32));
  EXPECT_EQ(log.profiles.size(), 3u);
}

TEST_F(Output, TheWordsOfTheWorkerStayOutOfTheSession) {
  write("noisy", "#!/bin/sh\necho noise >&2\nexec " SCRIPTED_WORKER " \"$@\"\n");
  fs::permissions(file("noisy"), fs::perms::owner_all);
  const std::string session = file("s.log").string();
  EXPECT_EQ(run({"sweep", "sgemm_tiled", "TILE=8", "-o", session, "--worker", file("noisy").string()}).how, ok);
  EXPECT_EQ(platform::load_session(session).points.size(), 1u);
  EXPECT_THAT(text_of("s.log"), Not(HasSubstr("noise")));
}

TEST_F(Output, OfTwoSweepsIntoOneFileTheSecondIsRefused) {
  const std::string session = file("s.jsonl").string(), gate = file("gate").string();
  platform::ChildProcess first({ROOFTILE_CLI, "sweep", "sgemm_tiled", "TILE=8,16", "-o", session, "--worker",
                                SCRIPTED_WORKER " --gate " + gate},
                               file("first errors"));
  while (!fs::exists(session)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const Outcome second = run_scripted({"sweep", "sgemm_tiled", "TILE=4", "-o", session});
  EXPECT_EQ(second.how, misused);
  EXPECT_THAT(second.err, HasSubstr("exists already"));
  write("gate", "open");
  while (first.read_line()) {
  }
  EXPECT_EQ(platform::load_session(session).points.size(), 2u);
}

TEST_F(Output, ASweepThatMeasuresNothingLeavesNoFile) {
  const std::string session = file("s.jsonl").string();
  EXPECT_EQ(run_scripted({"sweep", "sgemm_tiled", "TILE=8", "-o", session}, "--no-device").how, failed);
  EXPECT_FALSE(fs::exists(session));
}

TEST_F(Output, ASweepOntoAFullDiskStillPrintsItsPoints) {
  const Outcome outcome = run_in_shell(full_disk(4), {"sweep", "sgemm_tiled", "TILE=4,8,16,32", "-o",
                                                      file("s.jsonl").string(), "--worker", SCRIPTED_WORKER});
  EXPECT_EQ(outcome.how, failed);
  for (const char* tile : {"TILE=4 ", "TILE=8 ", "TILE=16 ", "TILE=32 "}) {
    EXPECT_THAT(outcome.out, HasSubstr(tile));
  }
  EXPECT_THAT(outcome.out, Not(HasSubstr("written to")));
  EXPECT_THAT(outcome.err, HasSubstr("s.jsonl: cannot be written: File too large"));
}

TEST_F(Output, WithoutAStateFolderEveryVerbWorksAndSaysItOnce) {
  write("file", "");
  const std::string before = "XDG_STATE_HOME='" + file("file").string() + "' ";
  for (const Arguments& words :
       {Arguments{"doctor"}, Arguments{"measure", "sgemm_tiled"},
        Arguments{"predict", "sgemm_tiled", "--gpu", "T4"}, Arguments{"report", "-o", file("r").string()},
        Arguments{"sweep", "sgemm_tiled", "TILE=8", "-o", file("s").string()}}) {
    Arguments with_worker = words;
    with_worker.insert(with_worker.end(), {"--worker", SCRIPTED_WORKER});
    const Outcome outcome = run_in_shell(before, with_worker);
    EXPECT_EQ(outcome.how, ok) << words.front() << outcome.err;
    const std::string sentence = "New measurements are not kept: cannot create ";
    const std::size_t first = outcome.err.find(sentence);
    const bool has_a_file_of_its_own = words.front() == "sweep";
    EXPECT_EQ(first == std::string::npos, has_a_file_of_its_own) << words.front() << outcome.err;
    EXPECT_EQ(outcome.err.find(sentence, first + 1), std::string::npos) << words.front();
  }
}

TEST_F(Output, AFullStateDiskHindersNoMeasurementButIsSaid) {
  const Outcome outcome = run_in_shell(full_disk(1), {"measure", "sgemm_tiled", "--worker", SCRIPTED_WORKER});
  EXPECT_EQ(outcome.how, ok);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("New measurements are not kept: "), HasSubstr("File too large")));
}

TEST_F(Output, APageOnAFullDiskStaysWhole) {
  const std::string session = recorded("s.jsonl");
  const std::string page =
      std::string(200 << 10, 'x') + "\n<!-- measured: begin -->\nold\n<!-- measured: end -->\n";
  write("page.md", page);
  const Outcome outcome = run_in_shell(
      full_disk(300), {"report", session, "-o", file("r").string(), "--readme", file("page.md").string()});
  EXPECT_EQ(outcome.how, failed);
  EXPECT_THAT(outcome.err, HasSubstr("page.md: cannot be written: File too large"));
  EXPECT_EQ(text_of("page.md"), page);
}

TEST_F(Output, WhatDoesNotReachStandardOutputIsAFailure) {
  const std::string session = recorded("s.jsonl");
  for (const Arguments& words :
       {Arguments{"--help"}, Arguments{"--version"}, Arguments{"gpus"}, Arguments{"gpus", "--json"},
        Arguments{"kernels", "--combinations"}, Arguments{"roofs", session},
        Arguments{"report", session, "-o", file("r").string()},
        Arguments{"predict", "sgemm_tiled", "--gpu", "T4", "--worker", SCRIPTED_WORKER}}) {
    for (const char* place : {">/dev/full", ">&-"}) {
      const Outcome outcome = run_in_shell("exec ", words, place);
      EXPECT_EQ(outcome.how, failed) << words.front() << place;
      EXPECT_THAT(outcome.err, HasSubstr("rooftile-cli: Standard output cannot be written")) << words.front();
    }
  }
}

constexpr const char* evil = "\x1b]0;owned\x07\u009b\n| <script> |";

// A GPU as a stranger's session names it.
std::string with_evil_kernel(const std::string& session) {
  std::ostringstream all;
  std::ifstream in(session);
  for (std::string line; std::getline(in, line);) {
    nlohmann::json record = nlohmann::json::parse(line);
    if (record.contains("kernel")) {
      record["kernel"] = evil;
    }
    all << record.dump() << '\n';
  }
  return all.str();
}

TEST_F(Output, TheNamesOfASessionSteerNeitherTerminalNorPage) {
  write("evil.jsonl", with_evil_kernel(recorded("s.jsonl")));
  write("page.md", "<!-- measured: begin -->\n<!-- measured: end -->\n");
  const std::string session = file("evil.jsonl").string();
  const Arguments report = {"report", session, "-o", file("r").string(), "--readme", file("page.md").string()};
  const Outcome outcome = run(report);
  EXPECT_EQ(outcome.how, ok) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("\\x1b]0;owned\\x07"), Not(HasSubstr("\x1b"))));
  EXPECT_THAT(text_of("page.md"), HasSubstr("\n| ` ]0;owned    \\| <script> \\|` |")) << "code, which shows it";
  EXPECT_THAT(text_of("r/roofline.svg"), AllOf(Not(HasSubstr("\x1b")), Not(HasSubstr("<script>"))));
  Arguments as_json = report;
  as_json.emplace_back("--json");
  const auto json = nlohmann::json::parse(run(as_json).out);
  EXPECT_EQ(json.at("best").at(0).at("point").at("kernel"), evil);
}

TEST_F(Output, AManifestAndACompilerSteerNoTerminal) {
  write("mine/odd/kernel.toml", "title = \"\\u001b]0;owned\\u0007\"\nidea = 7\n\x1b[31m");
  const Outcome outcome = run({"kernels", "--kernels", file("mine").string()});
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("left out"), Not(HasSubstr("\x1b"))));
  const Outcome word = run({"gpus", "\x1b]0;owned\x07"});
  EXPECT_THAT(word.err, AllOf(HasSubstr("\\x1b]0;owned"), Not(HasSubstr("\x1b"))));
}

}  // namespace
}  // namespace rooftile::cli
