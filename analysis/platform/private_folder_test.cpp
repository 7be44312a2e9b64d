#include "analysis/platform/private_folder.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>
#include <optional>

#include "analysis/platform/run_program.hpp"
#include "analysis/platform/write_file.hpp"

namespace rooftile::platform {
namespace {

namespace fs = std::filesystem;

TEST(PrivateFolder, IsForOneUserUntilItIsRenamed) {
  const TemporaryFolder area;
  const fs::path place = area.path() / "whole";
  std::optional<PrivateFolder> folder(place);
  const fs::path unfinished = folder->path();
  struct stat known {};
  ASSERT_EQ(::stat(unfinished.c_str(), &known), 0);
  EXPECT_EQ(known.st_mode & 0777U, 0700U);
  NewFile(unfinished / "file").append("words");
  EXPECT_FALSE(fs::exists(place));
  rename_new(unfinished, place);
  folder.reset();
  EXPECT_EQ(fs::file_size(place / "file"), 5U);
  EXPECT_FALSE(fs::exists(unfinished));
}

TEST(PrivateFolder, IsRemovedIfItWasNotFinished) {
  const TemporaryFolder area;
  { NewFile(PrivateFolder(area.path() / "whole").path() / "file").append("words"); }
  EXPECT_TRUE(fs::is_empty(area.path()));
}

TEST(PrivateFolder, NothingIsReplaced) {
  const TemporaryFolder area;
  fs::create_directory(area.path() / "empty");
  std::ofstream(area.path() / "file") << "mine";
  const PrivateFolder folder(area.path() / "empty");
  for (const char* taken : {"empty", "file"}) {
    EXPECT_THROW(rename_new(folder.path(), area.path() / taken), NameTaken) << taken;
  }
  EXPECT_THROW(NewFile(area.path() / "file"), NameTaken);
  EXPECT_THROW(PrivateFolder(area.path() / "none" / "below"), Error);
}

}  // namespace
}  // namespace rooftile::platform
