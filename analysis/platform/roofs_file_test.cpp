#include <gmock/gmock.h>

#include <fstream>

#include "analysis/platform/session_files.hpp"

namespace rooftile::platform {
namespace {

namespace fs = std::filesystem;

class RoofsFileTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  const fs::path folder_ =
      fs::path(testing::TempDir()) /
      (std::string("rooftile_roofs_file_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  const Roofs roofs_{"GPU",
                     {{MemoryLevel::dram, {4e12}, Origin::measured, "copy"}},
                     {{bf16_tensor_pipe, {9e14}, Origin::measured, "wgmma", FlopsPerSecond{7e14}}}};
};

TEST_F(RoofsFileTest, RoofsAreFoundAgainUnderTheirKeyAlone) {
  const RoofsFile file(folder_, "H200 driver 580");
  EXPECT_EQ(file.load(), std::nullopt);
  file.save(roofs_);
  EXPECT_EQ(file.load(), roofs_);
  EXPECT_EQ(RoofsFile(folder_, "H200 driver 590").load(), std::nullopt);
}

TEST_F(RoofsFileTest, WhatCannotBeReadIsAsGoodAsNothing) {
  const RoofsFile file(folder_, "H200");
  file.save(roofs_);
  for (const auto& entry : fs::directory_iterator(folder_)) {
    std::ofstream(entry.path()) << "{\"record\":\"roofs\",\"memory\":[{\"lev";
  }
  EXPECT_EQ(file.load(), std::nullopt);
}

}  // namespace
}  // namespace rooftile::platform
