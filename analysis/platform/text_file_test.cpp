#include "analysis/platform/text_file.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "analysis/platform/platform.hpp"
#include "analysis/platform/run_program.hpp"
#include "analysis/text/error.hpp"

namespace rooftile::platform {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(TextFile, IsReadWholeAndAbsenceIsNoMistake) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "a.txt") << "one\ntwo";
  EXPECT_EQ(read_text(folder.path() / "a.txt"), "one\ntwo");
  EXPECT_EQ(read_text(folder.path() / "b.txt"), std::nullopt);
}

TEST(TextFile, AByteOrderMarkIsNoText) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "a.cu") << "\xEF\xBB\xBF#define N 1\xEF\xBB\xBF\n";
  EXPECT_EQ(read_text(folder.path() / "a.cu"), "#define N 1\xEF\xBB\xBF\n");
}

TEST(TextFile, WhatNeverEndsIsNotRead) {
  const TemporaryFolder folder;
  const fs::path large = folder.path() / "large.cu";
  std::ofstream(large) << "x";
  fs::resize_file(large, most_text + 1);  // which takes no room
  EXPECT_THAT([&] { read_text(large); }, ThrowsMessage<Error>(HasSubstr("large.cu: it has 67.1 MB")));
  for (const fs::path& path : {folder.path(), fs::path("/dev/zero")}) {
    EXPECT_THAT([&] { read_text(path); }, ThrowsMessage<Error>(HasSubstr("it is a folder or a device")));
  }
  EXPECT_EQ(read_text("/proc/self/stat"), "") << "it is said to have no bytes, and could have any number";
}

TEST(TextFile, WhatCannotBeLookedAtIsToldOf) {
  const TemporaryFolder folder;
  fs::create_symlink("circle.cu", folder.path() / "circle.cu");
  const fs::path too_long = folder.path() / std::string(5000, 'x');
  for (const fs::path& path : {folder.path() / "circle.cu", too_long}) {
    EXPECT_THAT([&] { read_text(path); }, ThrowsMessage<Error>(HasSubstr("cannot read " + path.string())));
  }
}

TEST(TextFile, OfDataMoreIsRead) {
  const TemporaryFolder folder;
  const fs::path large = folder.path() / "large.npy";
  std::ofstream(large) << "x";
  fs::resize_file(large, most_text + 1);
  EXPECT_EQ(read_data(large).value().size(), most_text + 1);
  fs::resize_file(large, most_data + 1);
  EXPECT_THAT([&] { read_data(large); }, ThrowsMessage<Error>(HasSubstr("large.npy: it has 4.30 GB")));
}

}  // namespace
}  // namespace rooftile::platform
