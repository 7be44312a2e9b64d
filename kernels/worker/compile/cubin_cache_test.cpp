#include "kernels/worker/compile/cubin_cache.hpp"

#include <gmock/gmock.h>

#include <fstream>

namespace rooftile::worker {
namespace {

namespace fs = std::filesystem;

class CubinCache : public testing::Test {
 protected:
  CubinCache() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~CubinCache() override { fs::remove_all(folder_); }

  std::vector<fs::path> files() const { return {fs::directory_iterator(folder_), fs::directory_iterator()}; }

  const fs::path folder_ =
      fs::path(testing::TempDir()) /
      (std::string("rooftile_cubins_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  const std::string key_ = "13.0\n-arch=sm_90 -DTILE=16\nkernel text";
  const Cubin cubin_ = {std::string("\x7f"
                                    "ELF\0\n\r\xff binary",
                                    15),
                        "ptxas info : Used 32 registers",
                        "mine",
                        {true, false, {{"BF16 tensor", "FP8 tensor"}}}};
};

TEST_F(CubinCache, WhatWasKeptIsFoundAgainByteForByte) {
  EXPECT_FALSE(find_cubin(folder_, key_));
  keep_cubin(folder_, key_, cubin_);
  const auto found = find_cubin(folder_, key_);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->bytes, cubin_.bytes);
  EXPECT_EQ(found->log, cubin_.log);
  EXPECT_EQ(found->symbol, "mine");
  EXPECT_EQ(found->instructions, cubin_.instructions);
  EXPECT_THAT(files(), testing::SizeIs(1));  // nothing unfinished stays behind
}

TEST_F(CubinCache, TheNewestOfAKeyCounts) {
  keep_cubin(folder_, key_, cubin_);
  keep_cubin(folder_, key_, {"newer", "", "mine"});
  EXPECT_EQ(find_cubin(folder_, key_)->bytes, "newer");
  EXPECT_EQ(find_cubin(folder_, key_)->instructions, Instructions{});
  EXPECT_THAT(files(), testing::SizeIs(1));
}

TEST_F(CubinCache, ATruncatedFileIsAMissWhereverItEnds) {
  keep_cubin(folder_, key_, cubin_);
  const fs::path file = files().front();
  for (auto size = static_cast<std::intmax_t>(fs::file_size(file)) - 1; size >= 0; --size) {
    fs::resize_file(file, static_cast<std::uintmax_t>(size));
    EXPECT_FALSE(find_cubin(folder_, key_)) << size;
  }
}

TEST_F(CubinCache, AnEditedFileIsAMissWhereverItWasEdited) {
  keep_cubin(folder_, key_, cubin_);
  std::fstream file(files().front(), std::ios::in | std::ios::out | std::ios::binary);
  const auto size = static_cast<std::streamoff>(fs::file_size(files().front()));
  for (std::streamoff at = 0; at < size; ++at) {
    file.seekg(at);
    const char was = static_cast<char>(file.get());
    const auto put = [&](char byte) {
      file.seekp(at);
      file.put(byte).flush();
    };
    put(static_cast<char>(was ^ 1));
    EXPECT_FALSE(find_cubin(folder_, key_)) << at;
    put(was);
  }
  EXPECT_TRUE(find_cubin(folder_, key_));
}

TEST_F(CubinCache, AFileThatClaimsToBeHugeIsAMiss) {
  keep_cubin(folder_, key_, cubin_);
  std::fstream file(files().front(), std::ios::in | std::ios::out | std::ios::binary);
  file.write("\xff\xff\xff\xff\xff\xff\xff\x7f", 8);
  file.close();
  EXPECT_FALSE(find_cubin(folder_, key_));
}

// Two keys of one hash would share a file.
TEST_F(CubinCache, AFileOfAnotherKeyIsAMiss) {
  keep_cubin(folder_, key_, cubin_);
  const fs::path file = files().front();
  keep_cubin(folder_, "another key", {"another cubin", "", "mine"});
  for (const fs::path& other : files()) {
    if (other != file) {
      fs::rename(other, file);
    }
  }
  EXPECT_FALSE(find_cubin(folder_, key_));
}

TEST_F(CubinCache, WhatWasNotUsedForLongestMakesRoom) {
  for (const char* key : {"used again", "old", "new"}) {
    keep_cubin(folder_, key, cubin_);
    for (const fs::path& file : files()) {
      fs::last_write_time(file, fs::last_write_time(file) - std::chrono::hours(1));
    }
  }
  const std::uintmax_t two_cubins = 2 * fs::file_size(files().front());
  std::ofstream(folder_ / "left behind.cubin.7-1.part") << std::string(1000, 'x');
  fs::last_write_time(folder_ / "left behind.cubin.7-1.part",
                      fs::file_time_type::clock::now() - std::chrono::hours(9));
  std::ofstream(folder_ / "roofs.jsonl") << std::string(1000, 'x');
  find_cubin(folder_, "used again");
  trim_cubins(folder_, two_cubins + 100);  // the three differ by the lengths of their keys
  EXPECT_TRUE(find_cubin(folder_, "used again"));
  EXPECT_TRUE(find_cubin(folder_, "new"));
  EXPECT_FALSE(find_cubin(folder_, "old"));
  EXPECT_THAT(files(), testing::SizeIs(3)) << "the roofs are no cubin";
}

TEST_F(CubinCache, AFolderThatCannotBeWrittenKeepsNothingAndIsNoFailure) {
  std::ofstream(folder_ / "file") << "not a folder";
  for (const fs::path& nowhere : {folder_ / "not there", folder_ / "file"}) {
    keep_cubin(nowhere, key_, cubin_);
    EXPECT_FALSE(find_cubin(nowhere, key_)) << nowhere;
  }
}

}  // namespace
}  // namespace rooftile::worker
