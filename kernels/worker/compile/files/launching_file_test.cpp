#include "kernels/worker/compile/files/launching_file.hpp"

#include <gmock/gmock.h>

#include "analysis/platform/run_program.hpp"
#include "analysis/platform/write_file.hpp"

namespace rooftile::worker {
namespace {

class LaunchingFileTest : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& code) const {
    platform::make_folder((folder_.path() / name).parent_path());
    platform::write_file(folder_.path() / name, code, platform::any_kind);
  }
  LaunchingFile launching(const std::string& source) const {
    return launching_file(read_source_files(folder_.path() / source, {}), {"tile<float>"});
  }

  const platform::TemporaryFolder folder_;
};

constexpr const char* kernel = "template <class T> __global__ void tile(T* x) {}\n";
constexpr const char* launch = "void run(float* x) { tile<float><<<1, 32>>>(x); }\n";

TEST_F(LaunchingFileTest, IncludesTheHeaderOrAHeaderThatDoes) {
  write(".git/HEAD", "");
  write("src/kernels/tile.cuh", kernel);
  write("src/kernels.cuh", "#include \"kernels/tile.cuh\"\n");
  write("src/other.cu", launch);
  write("src/run.cu", std::string("#include <kernels.cuh>\n") + launch);
  EXPECT_EQ(launching("src/kernels/tile.cuh").name, "../run.cu");
}

TEST_F(LaunchingFileTest, IsFoundInAnArchiveOfARepositoryToo) {
  for (const char* mark : {"LICENSE", "README.md", "CMakeLists.txt"}) {
    const platform::TemporaryFolder archive;
    const auto put = [&](const std::string& name, const std::string& code) {
      platform::make_folder((archive.path() / name).parent_path());
      platform::write_file(archive.path() / name, code, platform::any_kind);
    };
    put(mark, "");
    put("kernels/tile.cuh", kernel);
    put("src/run.cu", std::string("#include <tile.cuh>\n") + launch);
    EXPECT_EQ(launching_file(read_source_files(archive.path() / "kernels/tile.cuh", {}), {"tile<float>"}).name,
              "../src/run.cu")
        << mark;
  }
}

TEST_F(LaunchingFileTest, IsNotSoughtWhereTheSourceLaunches) {
  write("run.cu", std::string("#include \"tile.cu\"\n") + launch);
  write("tile.cu", std::string(kernel) + launch);
  EXPECT_EQ(launching("tile.cu"), LaunchingFile{});
}

TEST_F(LaunchingFileTest, StaysInTheRepository) {
  write("run.cu", std::string("#include \"tile.cuh\"\n") + launch);
  write("library/.git/HEAD", "");
  write("library/tile.cuh", kernel);
  EXPECT_EQ(launching("library/tile.cuh"), LaunchingFile{});
}

}  // namespace
}  // namespace rooftile::worker
