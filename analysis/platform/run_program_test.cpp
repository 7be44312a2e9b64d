#include "analysis/platform/run_program.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "analysis/error.hpp"

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

TEST(RunProgram, AProgramThatIsNotThereIsNamed) {
  EXPECT_THAT([] { run_program({"/no/such/program"}, {}); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("/no/such/program")));
}

TEST(RunProgram, AnOrderToEndReachesTheProgram) {
  const ProgramEnd end = run_program({"sh", "-c", "trap 'exit 5' TERM; kill -TERM $PPID; sleep 10 & wait"}, {});
  EXPECT_EQ(end.status, 5);
}

TEST(RunProgram, AnInterruptIsForTheProgramAlone) {
  const ProgramEnd end = run_program({"sh", "-c", "kill -INT $PPID; exit 3"}, {});
  EXPECT_EQ(end.status, 3);
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
