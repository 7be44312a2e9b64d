#include "analysis/platform/run_program.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "analysis/text/error.hpp"

namespace rooftile::platform {
namespace {

std::string words_in(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST(RunProgram, EndsAsTheProgramDoes) {
  const struct {
    const char* script;
    int status;
    const char* signal;
  } rows[] = {{"exit 0", 0, ""},
              {"exit 7", 7, ""},
              {"kill -SEGV $$", 139, "Segmentation fault"},
              {"kill -KILL $$", 137, "Killed"}};
  for (const auto& row : rows) {
    const ProgramEnd end = run_program({"sh", "-c", row.script}, {});
    EXPECT_EQ(end.status, row.status) << row.script;
    EXPECT_EQ(end.signal, row.signal) << row.script;
  }
}

TEST(RunProgram, VariablesReplaceThoseThatAreThere) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "said";
  setenv("ROOFTILE_TEST_VARIABLE", "before", 1);
  run_program({"sh", "-c", "echo $ROOFTILE_TEST_VARIABLE $OTHER > \"$0\"", file.string()},
              {{"ROOFTILE_TEST_VARIABLE", "after"}, {"OTHER", "more"}});
  unsetenv("ROOFTILE_TEST_VARIABLE");
  EXPECT_EQ(words_in(file), "after more\n");
}

TEST(RunProgram, WhatCannotBeStartedIsToldWithWhatToDo) {
  const TemporaryFolder folder;
  const std::string here = folder.path().string(), script = here + "/train.py";
  std::ofstream(script) << "print(1)\n";
  const struct {
    std::string program, sentence;
  } rows[] = {
      {"/no/such/program", "cannot start /no/such/program: there is no such file. Correct its path."},
      {"no-such-program", "no folder of PATH holds it. Write its path, as in: ./no-such-program"},
      {"", "no folder of PATH holds it"},
      {here, "cannot start " + here + ": it is a folder. Name the program in it."},
      {script,
       "it may not be executed. Allow it with chmod +x, or write its interpreter before it, as in: "
       "python3 " +
           script},
  };
  for (const auto& row : rows) {
    EXPECT_THAT(
        [&] {
          expect_program({row.program, "word"});
        },
        testing::ThrowsMessage<Error>(testing::HasSubstr(row.sentence)));
    EXPECT_THAT(
        [&] {
          run_program({row.program, "word"}, {});
        },
        testing::ThrowsMessage<Error>(testing::HasSubstr(row.sentence)));
  }
  EXPECT_NO_THROW(expect_program({"sh"}));
  EXPECT_NO_THROW(expect_program({"/bin/sh"}));
}

TEST(RunProgram, AnOrderToEndReachesTheProgram) {
  const ProgramEnd end = run_program({"sh", "-c", "trap 'exit 5' TERM; kill -TERM $PPID; sleep 10 & wait"}, {});
  EXPECT_EQ(end.status, 5);
}

TEST(RunProgram, AnInterruptIsForTheProgramAlone) {
  const ProgramEnd end = run_program({"sh", "-c", "kill -INT $PPID; exit 3"}, {});
  EXPECT_EQ(end.status, 3);
}

// Until the file is there.
std::string waiting_for(const std::filesystem::path& file) {
  return "until [ -e " + file.string() + " ]; do sleep 0.01; done; ";
}

TEST(RunningProgram, IsAskedForItsEndWithoutAWait) {
  const TemporaryFolder folder;
  RunningProgram running({"sh", "-c", waiting_for(folder.path() / "gate") + "exit 4"}, {});
  EXPECT_FALSE(running.end());
  std::ofstream(folder.path() / "gate") << "open";
  EXPECT_EQ(running.wait().status, 4);
  EXPECT_EQ(running.end()->status, 4);
}

TEST(RunningProgram, OneThatIsLeftLearnsThatItsTerminalCloses) {
  const TemporaryFolder folder;
  const std::string said = (folder.path() / "said").string(), ready = (folder.path() / "ready").string();
  {
    const RunningProgram running(
        {"sh", "-c",
         "trap 'echo closed > " + said + "; exit' HUP; : > " + ready + "; while :; do sleep 0.01; done"},
        {});
    while (!std::filesystem::exists(ready)) {
    }
  }
  EXPECT_EQ(words_in(said), "closed\n");
}

TEST(RunningProgram, WhatIsStartedWhileInterruptsAreIgnoredIgnoresThem) {
  const InterruptsIgnored ignored;
  EXPECT_EQ(run_program({"sh", "-c", "kill -INT $$; exit 3"}, {}).status, 3);
}

TEST(TemporaryFolder, IsGoneInTheEnd) {
  std::filesystem::path path;
  {
    const TemporaryFolder folder;
    path = folder.path();
    std::ofstream(path / "file") << "text";
    EXPECT_TRUE(std::filesystem::exists(path / "file"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace rooftile::platform
