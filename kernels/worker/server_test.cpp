// The real program where it has no device: a machine without a driver, or one whose GPUs are hidden.
#include "kernels/worker/server.hpp"

#include <gmock/gmock.h>

#include "kernels/worker/test_worker.hpp"

namespace rooftile::worker {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Optional;
using testing::StartsWith;

using State = Facility::State;

constexpr ComputeCapability hopper{9, 0};
constexpr const char* good_kernel = R"(
extern "C" __global__ void __launch_bounds__(BLOCK) mine(const float* in, float* out, int N) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < N) out[i] = in[i] + in[i];
}
)";

class ServerTest : public testing::Test {
 protected:
  ServerTest() {
    setenv("CUDA_VISIBLE_DEVICES", "", 1);
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~ServerTest() override { fs::remove_all(folder_); }

  WorkerProgram start(const std::vector<std::string>& options = {}) const {
    return WorkerProgram(folder_, options);
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) /
      (std::string("rooftile_server_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(ServerTest, IntroducesItselfWithWhatIsThereAndWhatIsMissing) {
  WorkerProgram worker = start();
  EXPECT_THAT(worker.header().made_by, StartsWith("rooftile "));
  EXPECT_EQ(worker.header().host, platform::host_name());

  const bool has_driver = platform::DynamicLibrary::open({"libcuda.so.1"}).has_value();
  const auto missing = worker.facility(has_driver ? "device" : "driver");
  ASSERT_TRUE(missing);
  EXPECT_EQ(missing->state, has_driver ? State::failed : State::missing);
  EXPECT_THAT(missing->sentence, HasSubstr(has_driver ? "no GPU can be used" : "no NVIDIA driver"));
  EXPECT_THAT(missing->fix, Not(IsEmpty()));
  EXPECT_THAT(missing->detail, Not(IsEmpty()));

  const auto compiler = worker.facility("compiler");
  ASSERT_TRUE(compiler);
  EXPECT_EQ(compiler->state, State::ready);
  EXPECT_THAT(compiler->sentence, StartsWith("NVRTC "));
  EXPECT_THAT(compiler->detail, HasSubstr("libnvrtc.so"));
}

TEST_F(ServerTest, ACompileRequestIsAnsweredWithWhatTheCompilerMade) {
  WorkerProgram worker = start();
  const CompileRequest request{7, "sgemm_tiled", {{"TILE", 16}, {"PAD_B", 1}}, hopper, 132};
  worker.write(to_line(Request{request}));
  const auto points = worker.answer();
  ASSERT_EQ(points.size(), 1u);
  const Point& point = points.front();
  EXPECT_EQ(point.failure, std::nullopt);
  EXPECT_EQ(point.id, 7u);
  EXPECT_EQ(point.kernel, "sgemm_tiled");
  EXPECT_EQ(point.parameters.at("PAD_A"), 0);  // completed
  EXPECT_EQ(point.launch.block.count(), 256);
  ASSERT_TRUE(point.compiled);
  EXPECT_EQ(point.compiled->cc, hopper);
  EXPECT_GT(point.compiled->registers, 0);
  EXPECT_EQ(point.compiled->static_shared_bytes, 4 * 16 * (16 + 17));
  EXPECT_FALSE(point.compiled->from_cache);
  EXPECT_TRUE(point.modelled.flops);
  EXPECT_FALSE(point.timing);
  EXPECT_TRUE(worker.ask(request).compiled->from_cache);
}

TEST_F(ServerTest, ACacheThatCannotBeMadeIsARemark) {
  std::ofstream(folder_ / "rooftile") << "not a folder";
  WorkerProgram worker = start();
  const auto cache = worker.facility("cache");
  ASSERT_TRUE(cache);
  EXPECT_EQ(cache->state, State::failed);
  EXPECT_THAT(cache->fix, HasSubstr("XDG_CACHE_HOME"));
  EXPECT_THAT(cache->detail, HasSubstr("cannot create"));
  EXPECT_TRUE(worker.ask(CompileRequest{1, "sgemm_tiled", {}, hopper}).compiled);
}

TEST_F(ServerTest, WhatCannotBeCompiledIsAnsweredWithAReason) {
  const struct {
    CompileRequest request;
    const char* reason;
  } rows[] = {
      {{1, "sgemm_tilde", {}, hopper}, "there is no kernel \"sgemm_tilde\"; known are "},
      {{2, "sgemm_tiled", {{"TILT", 16}}, hopper}, "sgemm_tiled has no parameter TILT; it has TILE, PAD_A"},
      {{3, "sgemm_tiled", {{"TILE", 12}}, hopper}, "TILE = 12 is not offered: 4, 8, 16 or 32."},
      {{4, "sgemm_naive", {{"BLOCK_X", 256}, {"BLOCK_Y", 32}}, hopper}, "A block has at most 1,024 threads."},
  };
  WorkerProgram worker = start();
  for (const auto& row : rows) {
    const Point point = worker.ask(row.request);
    EXPECT_EQ(point.id, row.request.id);
    EXPECT_EQ(point.kernel, row.request.kernel);
    EXPECT_THAT(point.failure, Optional(HasSubstr(row.reason)));
    EXPECT_FALSE(point.compiled);
  }
}

TEST_F(ServerTest, AGpuTooOldForTheCompilerLeavesRegistersUnknown) {
  WorkerProgram worker = start();
  const Point point = worker.ask(CompileRequest{1, "sgemm_naive", {}, {3, 5}, 15});
  EXPECT_EQ(point.failure, std::nullopt);
  EXPECT_FALSE(point.compiled);
  EXPECT_TRUE(point.modelled.flops);
  EXPECT_THAT(point.notes, testing::Contains(AllOf(HasSubstr("does not compile for compute capability 3.5"),
                                                   HasSubstr("registers and occupancy are not known"))));
}

TEST_F(ServerTest, ALibrarysKernelHasNothingToCompile) {
  WorkerProgram worker = start();
  const Point point = worker.ask(CompileRequest{1, "cublas_sgemm", {{"N", 512}}, hopper, 132});
  EXPECT_EQ(point.failure, std::nullopt);
  EXPECT_FALSE(point.compiled);
  EXPECT_TRUE(point.modelled.flops);
  EXPECT_THAT(point.notes, testing::Contains(HasSubstr("nothing is compiled")));
}

TEST_F(ServerTest, MeasuringWithoutADeviceSaysWhatIsMissing) {
  WorkerProgram worker = start();
  const bool has_driver = worker.facility("driver")->state == State::ready;
  const auto missing = worker.facility(has_driver ? "device" : "driver");
  const Point point = worker.ask(MeasureRequest{3, "sgemm_tiled", {{"TILE", 16}}, Caches::cold});
  EXPECT_EQ(point.id, 3u);
  EXPECT_THAT(point.failure, Optional(HasSubstr(missing->sentence)));
  EXPECT_THAT(point.failure, Optional(HasSubstr(missing->fix)));
}

TEST_F(ServerTest, RequestsThatWaitAreAnsweredInOrder) {
  WorkerProgram worker = start();
  for (std::uint64_t id = 1; id <= 5; ++id) {
    worker.write(to_line(Request{CompileRequest{id, "transpose_tiled", {}, hopper}}));
  }
  for (std::uint64_t id = 1; id <= 5; ++id) {
    EXPECT_EQ(worker.answer().back().id, id);
  }
}

TEST_F(ServerTest, ALineThatIsNoRequestIsLoggedAndSurvived) {
  const struct {
    const char* line;
    const char* reason;
  } rows[] = {
      {"", "not JSON"},
      {"not JSON at all", "not JSON from byte"},
      {"[1, 2]", "line must be an object"},
      {R"({"request":"dance","id":1})", "an unknown request; expected one of measure, compile"},
      {R"({"request":"compile","id":1})", "compile.kernel is missing"},
      {R"({"request":"compile","id":1,"kernel":7,"parameters":{},"compute_capability":"9.0"})",
       "compile.kernel"},
      {R"({"request":"measure","id":1,"kernel":"sgemm_tiled","parameters":{},"caches":"lukewarm"})",
       "measure.caches"},
  };
  WorkerProgram worker = start();
  for (const auto& row : rows) {
    worker.write(row.line);
    EXPECT_TRUE(worker.ask(CompileRequest{9, "sgemm_naive", {}, hopper}).compiled) << row.line;
    const std::string log = worker.log();
    const auto last = log.rfind('\n', log.size() - 2);
    EXPECT_THAT(log.substr(last == std::string::npos ? 0 : last + 1),
                AllOf(StartsWith("rooftile-worker: "), HasSubstr(row.reason)));
  }
}

TEST_F(ServerTest, AKernelOfTheUsersIsTwoFilesInAFolder) {
  write_kernel(folder_ / "kernels" / "mine", good_kernel);
  for (const fs::path& named : {folder_ / "kernels", folder_ / "kernels" / "mine"}) {
    WorkerProgram worker = start({"--kernels", named.string()});
    const Point point = worker.ask(CompileRequest{1, "mine", {{"BLOCK", 64}}, hopper, 132});
    EXPECT_EQ(point.failure, std::nullopt);
    EXPECT_EQ(point.launch.grid.x, 64);
    EXPECT_TRUE(point.compiled);
    EXPECT_TRUE(worker.ask(CompileRequest{2, "sgemm_tiled", {}, hopper}).compiled);  // beside the bundled ones
  }
}

TEST_F(ServerTest, AUsersKernelThatDoesNotCompileNamesFileAndLine) {
  write_kernel(folder_ / "kernels" / "mine",
               "// line 1\n"
               "extern \"C\" __global__ void mine(const float* in, float* out, int N) {\n"
               "  out[0] = int[0];  // caf\xe9, in Latin-1\n"
               "}\n");
  WorkerProgram worker = start({"--kernels", (folder_ / "kernels").string()});
  const Point point = worker.ask(CompileRequest{1, "mine", {}, hopper});
  EXPECT_THAT(point.failure,
              Optional(AllOf(HasSubstr("mine.cu does not compile"), HasSubstr("mine.cu(3): error"))));

  // The worker lives on, and sees the mended source.
  write_kernel(folder_ / "kernels" / "mine", good_kernel);
  EXPECT_TRUE(worker.ask(CompileRequest{2, "mine", {}, hopper}).compiled);
}

TEST_F(ServerTest, EndsWithItsInput) {
  WorkerProgram worker = start();
  worker.header();
  EXPECT_EQ(worker.end(), "ended with status 0");
  EXPECT_THAT(worker.log(), IsEmpty());
}

// With its input still open: nobody has to hang up on it first.
TEST_F(ServerTest, AStartThatCannotSucceedEndsWithASentence) {
  const struct {
    std::vector<std::string> options;
    const char* reason;
  } rows[] = {
      {{"--kernels", (folder_ / "nowhere").string()}, "cannot read the kernel directory"},
      {{"--idle", "0"}, "--idle"},
      {{"--no-such-option"}, "--no-such-option"},
  };
  for (const auto& row : rows) {
    fs::remove(folder_ / "worker.log");
    WorkerProgram worker = start(row.options);
    EXPECT_THAT(worker.wait(), AllOf(StartsWith("ended with status"), Not(HasSubstr("status 0"))));
    EXPECT_THAT(worker.log(), HasSubstr(row.reason));
  }
}

TEST_F(ServerTest, AMistakeInAManifestLeavesTheOtherKernels) {
  write_kernel(folder_ / "kernels" / "sgemm_tiled", good_kernel);  // a name that is taken
  write_kernel(folder_ / "kernels" / "mine", good_kernel);
  std::ofstream(folder_ / "kernels" / "mine" / "kernel.toml") << "title = \"Mine\"\nidea = \n";
  WorkerProgram worker = start({"--kernels", (folder_ / "kernels").string()});
  EXPECT_TRUE(worker.ask(CompileRequest{1, "sgemm_tiled", {}, hopper}).compiled);
  const Point broken = worker.ask(CompileRequest{2, "mine", {}, hopper});
  EXPECT_THAT(broken.failure.value_or(""), HasSubstr("kernel.toml:2"));
}

TEST_F(ServerTest, DataThatIsNotThereIsNamed) {
  const char* before = std::getenv("ROOFTILE_DATA");
  const std::string kept = before ? before : "";
  setenv("ROOFTILE_DATA", folder_.c_str(), 1);
  WorkerProgram worker = start();
  EXPECT_EQ(worker.wait(), "ended with status 1");
  EXPECT_THAT(worker.log(), HasSubstr("ROOFTILE_DATA names " + folder_.string()));
  setenv("ROOFTILE_DATA", kept.c_str(), 1);
}

}  // namespace
}  // namespace rooftile::worker
