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
  EXPECT_FALSE(watch_.saved(file, 1)) << "it was like this before";
  EXPECT_FALSE(watch_.saved(file, 2));
  save("a.cu");
  EXPECT_TRUE(watch_.saved(file, 3));
  EXPECT_FALSE(watch_.saved(file, 4));
}

TEST_F(SourceWatchTest, AnotherFileIsNoSave) {
  const fs::path one = save("a.cu"), other = save("b.cu");
  EXPECT_FALSE(watch_.saved(one, 1));
  EXPECT_FALSE(watch_.saved(other, 2));
  EXPECT_FALSE(watch_.saved(one, 3));
  EXPECT_FALSE(watch_.saved({}, 4)) << "a library's kernel has none";
}

TEST_F(SourceWatchTest, AnEditorThatReplacesTheFileIsWaitedFor) {
  const fs::path file = save("a.cu");
  EXPECT_FALSE(watch_.saved(file, 1));
  fs::remove(file);
  EXPECT_FALSE(watch_.saved(file, 2));
  save("a.cu");
  EXPECT_TRUE(watch_.saved(file, 3));
}

TEST_F(SourceWatchTest, LooksNowAndThen) {
  const fs::path file = save("a.cu");
  EXPECT_FALSE(watch_.saved(file, 1));
  save("a.cu");
  EXPECT_FALSE(watch_.saved(file, 1.1));
  EXPECT_TRUE(watch_.saved(file, 1.4));
}

}  // namespace
}  // namespace rooftile::conductor
