#include "app/session/sources/packed_arrays.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <random>

#include "analysis/platform/run_program.hpp"
#include "analysis/platform/text_file.hpp"
#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

namespace fs = std::filesystem;
using platform::read_data;
using testing::HasSubstr;

class PackedArrays : public testing::Test {
 protected:
  PackedArrays() {
    write("zeros.npy", std::string(3 << 20, '\0'));
    std::mt19937_64 random(1);
    std::string any(1 << 20, '\0');
    std::ranges::generate(any, [&] { return static_cast<char>(random()); });
    write("random.npy", any);
    write("kernel.toml", "file = \"zeros.npy\"  # of zeros\nfiles = [\"random.npy\", \"zeros.npy\"]\n");
    fs::permissions(folder_.path() / "zeros.npy", fs::perms::owner_read | fs::perms::owner_write);
  }
  void write(const std::string& file, const std::string& bytes) const {
    std::ofstream(folder_.path() / file, std::ios::binary) << bytes;
  }
  fs::path at(const std::string& file) const { return folder_.path() / file; }

 private:
  const platform::TemporaryFolder folder_;
};

TEST_F(PackedArrays, AreThoseThatBecomeSmallerAndAreReadAsTheyWere) {
  pack_arrays(at(""));
  EXPECT_FALSE(fs::exists(at("zeros.npy")) || fs::exists(at("random.npy.gz")));
  EXPECT_LT(fs::file_size(at("zeros.npy.gz")), 20'000u);
  EXPECT_EQ(read_data(at("zeros.npy.gz")), std::string(3 << 20, '\0'));
  EXPECT_EQ(fs::status(at("zeros.npy.gz")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(platform::read_text(at("kernel.toml")),
            "file = \"zeros.npy.gz\"  # of zeros\nfiles = [\"random.npy\", \"zeros.npy.gz\"]\n");
}

// A folder takes the place of the new kernel.toml, so that it cannot be written.
TEST_F(PackedArrays, StayWhereTheirNamesCannotBeChanged) {
  fs::create_directory(at("kernel.toml.new"));
  pack_arrays(at(""));
  EXPECT_TRUE(fs::exists(at("zeros.npy")));
  EXPECT_FALSE(fs::exists(at("zeros.npy.gz")));
}

TEST_F(PackedArrays, WhatWasCutOffOrChangedIsToldAsThat) {
  pack_arrays(at(""));
  const std::string whole = platform::read_text(at("zeros.npy.gz")).value();
  for (const std::size_t bytes : {std::size_t{2}, std::size_t{11}, whole.size() / 2, whole.size() - 1}) {
    write("cut.npy.gz", whole.substr(0, bytes));
    EXPECT_THAT([&] { read_data(at("cut.npy.gz")); },
                testing::ThrowsMessage<Error>(HasSubstr("cut.npy.gz: it is no whole gzip file")))
        << bytes;
  }
  std::string changed = whole;
  changed[whole.size() - 6] ^= 1;  // of the sum of the bytes
  write("changed.npy.gz", changed);
  EXPECT_THROW(read_data(at("changed.npy.gz")), Error);
}

}  // namespace
}  // namespace rooftile
