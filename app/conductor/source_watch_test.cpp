#include "app/conductor/source_watch.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>

namespace rooftile::conductor {
namespace {

namespace fs = std::filesystem;

class SourceWatchTest : public testing::Test {
 protected:
  SourceWatchTest() { fs::create_directories(folder_); }
  ~SourceWatchTest() override { fs::remove_all(folder_); }
  // Each save a second after the one before, as the file system sees it.
  fs::path save(const char* name) {
    std::ofstream(folder_ / name) << ++saves_;
    fs::last_write_time(folder_ / name, fs::file_time_type::clock::now() + std::chrono::seconds(saves_));
    return folder_ / name;
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) /
      (std::string("source_watch_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  SourceWatch watch_;
  int saves_ = 0;
};

TEST_F(SourceWatchTest, TellsOfEachSaveOnce) {
  const fs::path file = save("a.cu");
  EXPECT_NE(watch_.look(file, 1), FileChange::saved) << "it was like this before";
  EXPECT_NE(watch_.look(file, 2), FileChange::saved);
  save("a.cu");
  EXPECT_EQ(watch_.look(file, 3), FileChange::saved);
  EXPECT_NE(watch_.look(file, 4), FileChange::saved);
}

TEST_F(SourceWatchTest, AnotherFileIsNoSave) {
  const fs::path one = save("a.cu"), other = save("b.cu");
  EXPECT_NE(watch_.look(one, 1), FileChange::saved);
  EXPECT_NE(watch_.look(other, 2), FileChange::saved);
  EXPECT_EQ(watch_.look(one, 3), FileChange::another);
  EXPECT_NE(watch_.look({}, 4), FileChange::saved) << "a library's kernel has none";
}

TEST_F(SourceWatchTest, AnEditorThatReplacesTheFileIsWaitedFor) {
  const fs::path file = save("a.cu");
  EXPECT_NE(watch_.look(file, 1), FileChange::saved);
  fs::remove(file);
  EXPECT_NE(watch_.look(file, 2), FileChange::saved);
  save("a.cu");
  EXPECT_EQ(watch_.look(file, 3), FileChange::saved);
}

TEST_F(SourceWatchTest, LooksNowAndThen) {
  const fs::path file = save("a.cu");
  EXPECT_NE(watch_.look(file, 1), FileChange::saved);
  save("a.cu");
  EXPECT_NE(watch_.look(file, 1.1), FileChange::saved);
  EXPECT_EQ(watch_.look(file, 1.4), FileChange::saved);
}

}  // namespace
}  // namespace rooftile::conductor
