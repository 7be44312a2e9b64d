// Programs that are shell scripts: they leave the records that the library in them would.
#include "app/session/profiled_program.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "analysis/platform/run_program.hpp"
#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Point launched(double launches) {
  Point point;
  point.id = 1;
  point.kernel = "multiply";
  point.program = ProgramLaunches{launches, 0, 0, {1e-3 * launches}, 1};
  return point;
}

class ProfiledProgramTest : public testing::Test {
 protected:
  // The script finds this text as $1, $2 and so on.
  static ProfiledProgram program(const std::string& script, const std::vector<std::string>& texts) {
    std::vector<std::string> command = {"sh", "-c", "cd $ROOFTILE_PROFILE_FOLDER; " + script, "sh"};
    command.insert(command.end(), texts.begin(), texts.end());
    return ProfiledProgram(command, {});
  }
  const std::string head_ = to_line(Header{}) + "\n";
};

TEST_F(ProfiledProgramTest, WhatIsRecordedIsSeenWhileItRuns) {
  const platform::TemporaryFolder folder;
  const std::string gate = (folder.path() / "gate").string();
  ProfiledProgram running = program(
      R"(printf '%s' "$1" >a.jsonl; until [ -e "$3" ]; do sleep 0.01; done; printf '%s' "$2" >>a.jsonl)",
      {head_ + to_line(launched(3)) + "\n", to_line(launched(5)) + "\n", gate});
  while (running.processes().empty() || running.processes().front().points.empty()) {
    running.read_on();
  }
  EXPECT_FALSE(running.end());
  EXPECT_EQ(running.processes().front().points.front().program->launches, 3);
  EXPECT_FALSE(running.read_on()) << "nothing new";
  std::ofstream(gate) << "open";
  EXPECT_EQ(running.wait().status, 0);
  EXPECT_TRUE(running.read_on());
  ASSERT_THAT(running.processes().front().points, SizeIs(1));
  EXPECT_EQ(running.processes().front().points.front().program->launches, 5);
}

TEST_F(ProfiledProgramTest, EachOfItsProcessesHasALogOnceItHasWritten) {
  ProfiledProgram ended = program(R"(printf '%s' "$1" >a.jsonl; printf '%s' "$1" >b.jsonl; : >c.jsonl)",
                                  {head_ + to_line(launched(3)) + "\n"});
  ended.wait();
  ended.read_on();
  EXPECT_THAT(ended.processes(), SizeIs(2));
}

TEST_F(ProfiledProgramTest, WhatIsNoRecordIsToldOnceAndTheOthersAreRead) {
  ProfiledProgram ended =
      program(R"(echo nonsense >a.jsonl; printf '%s' "$1" >b.jsonl)", {head_ + to_line(launched(3)) + "\n"});
  ended.wait();
  ended.read_on();
  ended.read_on();
  EXPECT_THAT(ended.take_troubles(), ElementsAre(HasSubstr("a.jsonl:1")));
  EXPECT_THAT(ended.take_troubles(), IsEmpty());
  EXPECT_THAT(ended.processes().back().points, SizeIs(1));
}

TEST_F(ProfiledProgramTest, AProgramThatRemovesTheFolderKeepsItsStatus) {
  ProfiledProgram ended = program("rm -r $ROOFTILE_PROFILE_FOLDER; exit 7", {});
  EXPECT_EQ(ended.wait().status, 7);
  EXPECT_FALSE(ended.read_on());
  ended.read_on();
  EXPECT_THAT(ended.take_troubles(), ElementsAre(HasSubstr("the program has removed ")));
}

TEST_F(ProfiledProgramTest, AProgramThatIsNotThereIsNamed) {
  EXPECT_THAT([] { ProfiledProgram({"/no/such/program"}, {}); },
              testing::ThrowsMessage<Error>(HasSubstr("/no/such/program")));
}

}  // namespace
}  // namespace rooftile
