// Folders of captured launches as the real worker replays them on the fake driver: sound ones, and tampered
// ones.
#include <gmock/gmock.h>

#include <functional>

#include "analysis/exchange/npy.hpp"
#include "analysis/platform/run_program.hpp"
#include "analysis/source/manifest/captured_manifest.hpp"
#include "kernels/worker/fakes/fake_cubin.hpp"
#include "kernels/worker/test_worker.hpp"

namespace rooftile::worker {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Optional;

class CapturedFolderTest : public testing::Test {
 protected:
  CapturedFolderTest() {
    setenv("LD_LIBRARY_PATH", FAKES "/driver", 1);
    setenv("CUDA_HOME", FAKES "/cuda", 1);
    fs::create_directory(taken_);
    write(captured_code, described_cubin("twice", {8, 8, 4}));
    write("b0.npy", npy_header(256) + std::string(256, '\1'));
    write("b1.npy", npy_header(512) + std::string(512, '\2'));
    write("b1_after.npy", npy_header(512) + std::string(512, '\3'));
    CapturedLaunch launch;
    launch.symbol = launch.name = launch.short_name = "twice";
    launch.cc = {9, 0};
    launch.launch = {{4, 1, 1}, {64, 1, 1}, 0};
    launch.parameters = {{std::string(8, '\0'), {{0, 0, 16}}}, {std::string(8, '\0'), {{0, 1, 0}}}, {"\1", {}}};
    launch.parameters[2].bytes.resize(4);
    launch.buffers = {{256, false}, {512, true}};
    write("kernel.toml", captured_manifest(launch));
  }
  ~CapturedFolderTest() override {
    unsetenv("LD_LIBRARY_PATH");
    unsetenv("CUDA_HOME");
  }

  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(taken_ / name, std::ios::binary) << bytes;
  }
  void replace(const std::string& name, const std::string& before, const std::string& after) const {
    std::ostringstream text;
    text << std::ifstream(taken_ / name, std::ios::binary).rdbuf();
    std::string all = text.str();
    all.replace(all.find(before), before.size(), after);
    write(name, all);
  }
  Point measured(const Parameters& dials = {}) const {
    WorkerProgram worker(folder_.path(), {"--kernels", taken_.string(), "--verify-only"});
    return worker.ask(MeasureRequest{1, "taken", dials, Caches::cold});
  }

  const platform::TemporaryFolder folder_;
  const fs::path taken_ = folder_.path() / "taken";
};

TEST_F(CapturedFolderTest, IsReplayedAndVerifiedLikeAnyKernel) {
  const Point point = measured({{"BLOCK", 32}});
  EXPECT_EQ(point.failure, std::nullopt);
  EXPECT_EQ(point.launch.grid, (Dim3{8, 1, 1}));
  ASSERT_TRUE(point.verification);
  EXPECT_TRUE(point.verification->passed);
}

TEST_F(CapturedFolderTest, TamperedWithItSaysWhat) {
  const struct {
    std::function<void()> tamper;
    const char* sentence;
  } rows[] = {
      {[&] { fs::resize_file(taken_ / "b0.npy", 300); },
       "b0.npy has 172 bytes of elements where its header says 256"},
      {[&] { fs::remove(taken_ / "b1_after.npy"); }, "There is no file"},
      {[&] { write("b1.npy", "words"); }, "b1.npy is not an array of NumPy"},
      {[&] { replace("kernel.toml", "count = 256", "count = 255"); },
       "b0.npy has 256 elements, and the buffer 255"},
      {[&] { replace("kernel.toml", "count = 256", "count = 1e15"); },
       "must give 1 or more, and fit into memory"},
      {[&] { replace("kernel.toml", "count = 256", "count = -1"); }, "-1"},
      {[&] { replace("kernel.toml", "offset = 16", "offset = 257"); },
       "offset of 257 bytes lies outside of b0"},
      {[&] { replace("kernel.toml", "offset = 16", "offset = -8"); }, "offset of -8 bytes lies outside of b0"},
      {[&] { replace("kernel.toml", "entry = \"twice\"", "entry = \"thrice\""); },
       "has no kernel named thrice"},
      {[&] { write(captured_code, "words"); }, "is no cubin, or it is damaged"},
      {[&] { replace("kernel.toml", "kernel.cubin", "../../taken.cubin"); }, "lie in its own folder"},
      {[&] { replace("kernel.toml", "b0.npy", "../b0.npy"); }, "lie in its own folder"},
  };
  for (const auto& row : rows) {
    const fs::path whole = folder_.path() / "whole";
    fs::copy(taken_, whole);
    row.tamper();
    EXPECT_THAT(measured().failure, Optional(HasSubstr(row.sentence)));
    fs::remove_all(taken_);
    fs::rename(whole, taken_);
  }
}

}  // namespace
}  // namespace rooftile::worker
