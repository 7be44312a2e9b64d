#include "analysis/platform/platform.hpp"

#include <gmock/gmock.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

#include "analysis/record/records.hpp"
#include "analysis/text/error.hpp"

namespace rooftile::platform {
namespace {

using testing::HasSubstr;
using testing::Optional;

std::filesystem::path fresh_directory() {
  const auto directory =
      std::filesystem::path(testing::TempDir()) /
      (std::string("rooftile_platform_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  std::filesystem::remove_all(directory);
  std::filesystem::create_directories(directory);
  return directory;
}

// Sets a variable of the environment for the length of a test.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) {
      before_ = before;
    }
    setenv(name, value.c_str(), 1);
  }
  ~Environment() {
    if (before_) {
      setenv(name_, before_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

class ChildProcessTest : public testing::Test {
 protected:
  ~ChildProcessTest() override { std::filesystem::remove_all(directory_); }

  std::vector<std::string> shell(const std::string& script) const { return {"/bin/sh", "-c", script}; }

  // Closing a pipe and ending are two events of the other program.
  std::optional<std::string> end_of(ChildProcess& child) const {
    while (child.running()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return child.how_it_ended();
  }

  const std::filesystem::path directory_ = fresh_directory();
  const std::filesystem::path log_ = directory_ / "errors.log";
};

TEST_F(ChildProcessTest, LinesGoRound) {
  ChildProcess cat({"cat"}, log_);
  for (const char* line : {"one", "", "three words here", "\u00b5s"}) {
    EXPECT_TRUE(cat.write_line(line));
    EXPECT_THAT(cat.read_line(), Optional(std::string(line)));
  }
  EXPECT_TRUE(cat.running());
  EXPECT_EQ(cat.how_it_ended(), std::nullopt);
  cat.close_input();
  EXPECT_EQ(cat.read_line(), std::nullopt);
  EXPECT_THAT(end_of(cat), Optional(std::string("ended with status 0")));
}

TEST_F(ChildProcessTest, LargeLinesGoRoundWhileAnotherThreadWrites) {
  ChildProcess cat({"cat"}, log_);
  const std::string large(1 << 20, 'x');
  std::jthread writer([&] {
    for (int i = 0; i < 3; ++i) {
      EXPECT_TRUE(cat.write_line(large + std::to_string(i)));
    }
    cat.close_input();
  });
  for (int i = 0; i < 3; ++i) {
    const auto line = cat.read_line();
    ASSERT_TRUE(line);
    EXPECT_TRUE(*line == large + std::to_string(i));
  }
  EXPECT_EQ(cat.read_line(), std::nullopt);
}

TEST_F(ChildProcessTest, ALineThatDoesNotEndFillsNoMemoryAndTheNextIsRead) {
  ChildProcess child(shell("head -c 80000000 /dev/zero | tr '\\0' x; echo; echo next"), log_);
  const auto line = child.read_line();
  ASSERT_TRUE(line);
  EXPECT_GT(line->size(), longest_line) << "so that nobody takes it for whole";
  EXPECT_LT(line->size(), longest_line + (1 << 20));
  EXPECT_THAT(child.read_line(), Optional(std::string("next")));
}

TEST_F(ChildProcessTest, HalfALineAtTheEndIsNotALine) {
  ChildProcess child(shell("printf 'whole\\nhalf'"), log_);
  EXPECT_THAT(child.read_line(), Optional(std::string("whole")));
  EXPECT_EQ(child.read_line(), std::nullopt);
}

TEST_F(ChildProcessTest, SaysHowItEnded) {
  const struct {
    const char* script;
    const char* end;
  } rows[] = {
      {"exit 0", "ended with status 0"},
      {"exit 3", "ended with status 3"},
      {"kill -SEGV $$", "was ended by signal 11 (Segmentation fault)"},
      {"kill -KILL $$", "was ended by signal 9 (Killed)"},
  };
  for (const auto& row : rows) {
    ChildProcess child(shell(row.script), log_);
    EXPECT_EQ(child.read_line(), std::nullopt);
    EXPECT_THAT(end_of(child), Optional(std::string(row.end))) << row.script;
  }
}

TEST_F(ChildProcessTest, KillEndsAProgramThatHangs) {
  ChildProcess child(shell("echo started; exec sleep 1000"), log_);
  EXPECT_THAT(child.read_line(), Optional(std::string("started")));
  std::jthread killer([&] { child.kill(); });
  EXPECT_EQ(child.read_line(), std::nullopt);
  EXPECT_THAT(end_of(child), Optional(std::string("was ended by signal 9 (Killed)")));
  child.kill();  // has no effect once the program is gone
}

bool lives(const std::string& process) {
  std::ifstream in("/proc/" + process + "/stat");
  const std::string stat{std::istreambuf_iterator<char>(in), {}};
  return !stat.empty() && stat.find(") Z ") == std::string::npos;
}

// The shell starts the program as conda run and srun do.
TEST_F(ChildProcessTest, KillEndsWhatTheProgramHasStarted) {
  ChildProcess child(shell("sh -c 'sleep 1000 & echo $!; wait; true'; true"), log_);
  const std::string grandchild = child.read_line().value();
  ASSERT_TRUE(lives(grandchild));
  child.kill();
  EXPECT_EQ(child.read_line(), std::nullopt);
  while (lives(grandchild)) {
    std::this_thread::yield();
  }
}

// The parent is not the program, as with a worker in a container.
TEST_F(ChildProcessTest, AfterAKillNobodyWaitsForWhoeverHoldsTheOutput) {
  ChildProcess child(shell("(setsid sleep 30 &); echo started; exec sleep 1000"), log_);
  EXPECT_THAT(child.read_line(), Optional(std::string("started")));
  std::jthread killer([&] { child.kill(); });
  EXPECT_EQ(child.read_line(), std::nullopt);
}

TEST_F(ChildProcessTest, DestructorEndsAProgramThatIgnoresItsInput) {
  ChildProcess(shell("trap '' HUP INT TERM PIPE; exec sleep 1000"), log_);
}

TEST_F(ChildProcessTest, WritingToAProgramThatIsGoneIsFalseAndNothingElse) {
  ChildProcess child(shell("exec <&-; echo closed; sleep 0.1"), log_);
  EXPECT_THAT(child.read_line(), Optional(std::string("closed")));
  EXPECT_FALSE(child.write_line("anyone?"));
  EXPECT_FALSE(child.write_line(std::string(1 << 20, 'x')));
  child.close_input();
  EXPECT_FALSE(child.write_line("still?"));
}

TEST_F(ChildProcessTest, ErrorsAreAppendedToTheLog) {
  for (const char* word : {"first", "second"}) {
    ChildProcess child(shell(std::string("echo ") + word + " >&2"), log_);
    EXPECT_EQ(child.read_line(), std::nullopt);
  }
  std::ifstream log(log_);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(log), {}), "first\nsecond\n");
}

TEST_F(ChildProcessTest, AMissingProgramIsNamed) {
  EXPECT_THAT(
      [&] { ChildProcess({"/nowhere/rooftile-worker"}, log_); },
      testing::ThrowsMessage<Error>("cannot start /nowhere/rooftile-worker: No such file or directory"));
  EXPECT_THAT([&] { ChildProcess({"cat"}, directory_ / "nowhere" / "log"); },
              testing::ThrowsMessage<Error>(HasSubstr("cannot write the log " + directory_.string())));
  EXPECT_THROW(ChildProcess({}, log_), Error);
  const auto pipe = directory_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT([&] { ChildProcess({"cat"}, pipe); }, testing::ThrowsMessage<Error>(HasSubstr("it is a pipe")));
}

TEST_F(ChildProcessTest, AProgramDoesNotHoldTheFilesOfAnother) {
  ChildProcess first({"cat"}, log_);
  ChildProcess second({"cat"}, log_);  // would keep the first one's input open if it inherited it
  first.close_input();
  EXPECT_EQ(first.read_line(), std::nullopt);
  EXPECT_TRUE(second.write_line("alive"));
  EXPECT_THAT(second.read_line(), Optional(std::string("alive")));
}

TEST(Priority, OthersGoFirst) {
  const int before = getpriority(PRIO_PROCESS, 0);
  let_others_go_first();
  EXPECT_EQ(getpriority(PRIO_PROCESS, 0), std::max(before, 10));
}

bool gets(std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory != MAP_FAILED && munmap(memory, bytes) == 0;
}

TEST(MemoryLimit, HoldsWhileItLives) {
  {
    const MemoryLimit limit(64 << 20);
    EXPECT_TRUE(gets(16 << 20));
    EXPECT_FALSE(gets(128 << 20));
    const MemoryLimit higher(std::size_t{1} << 40);
    EXPECT_FALSE(gets(128 << 20)) << "a limit within another gives no more than that";
  }
  EXPECT_TRUE(gets(128 << 20));
}

TEST(DynamicLibraryTest, TakesTheFirstThatLoads) {
  std::string tried;
  const auto library = DynamicLibrary::open({"libnowhere.so.1", library_file("m", "6")}, &tried);
  ASSERT_TRUE(library);
  EXPECT_THAT(tried, HasSubstr("libnowhere.so.1"));
  EXPECT_THAT(library->file(), testing::EndsWith("/libm.so.6"));
  EXPECT_NE(library->symbol("cos"), nullptr);
  EXPECT_EQ(library->symbol("no_such_function"), nullptr);
}

TEST(DynamicLibraryTest, IsNamedAsThisSystemDoes) {
  EXPECT_EQ(library_file("cuda", "1"), "libcuda.so.1");
  EXPECT_EQ(library_file("cuda"), "libcuda.so");
}

TEST(DynamicLibraryTest, IsEmptyWhenNoneLoads) {
  EXPECT_FALSE(DynamicLibrary::open({"libnowhere.so.1"}));
  EXPECT_FALSE(DynamicLibrary::open({}));
}

TEST(DynamicLibraryTest, LetsALibraryFindByNameWhatLiesBesideIt) {
  const auto one = DynamicLibrary::open({TWO_LIBRARIES "/libone.so"});
  ASSERT_TRUE(one);
  EXPECT_FALSE(DynamicLibrary::open({"libother.so"})) << "by name alone it is not found";
  one->load_from_beside("libnowhere.so");
  one->load_from_beside("libother.so");
  const auto other = DynamicLibrary::open({"libother.so"});
  ASSERT_TRUE(other);
  EXPECT_EQ(other->file(), TWO_LIBRARIES "/libother.so");
}

TEST(DirectoriesTest, UserDirectoriesFollowTheEnvironmentAndAreCreated) {
  const auto base = fresh_directory();
  const Environment cache("XDG_CACHE_HOME", (base / "cache").string());
  const Environment state("XDG_STATE_HOME", "relative/is/ignored");
  const Environment home("HOME", (base / "home").string());
  EXPECT_EQ(user_cache_directory(), base / "cache" / "rooftile");
  EXPECT_EQ(user_state_directory(), base / "home" / ".local" / "state" / "rooftile");
  EXPECT_TRUE(std::filesystem::is_directory(base / "cache" / "rooftile"));
  EXPECT_TRUE(std::filesystem::is_directory(base / "home" / ".local" / "state" / "rooftile"));
  std::filesystem::remove_all(base);
}

TEST(DirectoriesTest, DataComesFromTheVariableOrTheSourceTree) {
  const auto base = fresh_directory();
  std::filesystem::create_directories(base / "assets");
  std::filesystem::create_directories(base / "kernels");
  {
    const Environment data("ROOFTILE_DATA", base.string());
    EXPECT_EQ(data_directory(), base);
    std::filesystem::remove(base / "assets");
    EXPECT_THAT([] { data_directory(); }, testing::ThrowsMessage<Error>(HasSubstr(base.string())));
  }
  const Environment unset("ROOFTILE_DATA", "");
  EXPECT_EQ(data_directory(), ROOFTILE_SOURCE_DIR);
  std::filesystem::remove_all(base);
}

TEST(DirectoriesTest, ExecutableAndHostAreKnown) {
  EXPECT_TRUE(std::filesystem::is_directory(executable_directory()));
  EXPECT_TRUE(std::filesystem::equivalent(installation(), executable_directory().parent_path()));
  EXPECT_FALSE(host_name().empty());
}

}  // namespace
}  // namespace rooftile::platform
