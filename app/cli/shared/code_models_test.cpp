// Models of bundled kernels, read from their code by the real compiler, against the recorded launches. The
// compiler needs no GPU; a build without CUDA has none.
#include "app/cli/shared/code_models.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "analysis/advice/known_launches.hpp"
#include "analysis/manifest/catalogue.hpp"
#include "analysis/model/thread_intensity.hpp"
#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/gpu_table_file.hpp"
#include "analysis/platform/platform.hpp"
#include "analysis/platform/run_program.hpp"
#include "analysis/platform/session_files.hpp"
#include "analysis/predict/judgement.hpp"
#include "analysis/verdict/explanation.hpp"

namespace rooftile::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class CodeModelsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(platform::executable_directory() / "rooftile-worker")) {
      GTEST_SKIP() << "no worker was built";
    }
  }

  const Manifest& kernel(const std::string& name) const { return find_kernel(kernels_, name); }

  std::optional<Prediction> predicted(const std::string& name, const Parameters& given, const Gpu& gpu) {
    const Parameters place = complete(kernel(name), given);
    return predict(code_.model(kernel(name), place, gpu), code_.compiled_at(kernel(name), gpu)(place, gpu.cc),
                   gpu, datasheet_roofs(gpu), Caches::cold);
  }

  // Two recorded launches on the H200 from cold caches, that differ in one dial.
  std::optional<Explanation> explained(const std::string& name, Parameters given, const std::string& dial,
                                       double from, double to) {
    const auto recorded = [&](double value) -> const Point* {
      given[dial] = value;
      const Parameters place = complete(kernel(name), given);
      const auto is_it = [&](const Point& point) {
        return point.kernel == name && point.gpu == h200_.name && point.caches == Caches::cold &&
               complete(kernel(name), point.parameters) == place;
      };
      const auto found = std::ranges::find_if(session_.points, is_it);
      return found != session_.points.end() ? &*found : nullptr;
    };
    const Point *a = recorded(from), *b = recorded(to);
    return a && b ? explain({kernel(name), *a}, {kernel(name), *b}, h200_, *session_.roofs_of(h200_.name),
                            code_.model_at())
                  : std::nullopt;
  }

  const Options options_;
  const std::vector<Manifest> kernels_ = platform::load_catalogue_with({}).kernels;
  const SessionLog session_ =
      platform::load_session(platform::data_directory() / "assets" / "sessions" / "h100_h200.jsonl");
  const Gpu h200_ = *session_.gpu("NVIDIA H200");
  CodeModels code_{options_};
};

// A few launches of each kernel, spread over the recorded ones.
TEST_F(CodeModelsTest, PredictWhatWasRecorded) {
  constexpr std::size_t of_each_kernel = 8;
  std::vector<JudgedLaunch> judged;
  for (const Manifest& kernel : kernels_) {
    const std::vector<KnownLaunch> launches =
        is_read_from_code(kernel) ? launches_of(session_, kernel, h200_.name) : std::vector<KnownLaunch>{};
    for (std::size_t i = 0; i < launches.size(); i += 1 + launches.size() / of_each_kernel) {
      const Model model = code_.model(kernel, launches[i].place, h200_);
      if (const auto launch = judged_launch(*launches[i].point, kernel, model, session_)) {
        judged.push_back(*launch);
      }
    }
  }
  const Judgement judgement = judge(judged);
  EXPECT_GT(judgement.launches, 50);
  EXPECT_LT(judgement.median_error, 1.1);
  EXPECT_GT(judgement.within_1_3, 0.9);
  EXPECT_EQ(judgement.impossible, 0);
}

TEST_F(CodeModelsTest, ReadTogetherAreTheSameAsOneByOne) {
  const Manifest& softmax = kernel("row_softmax");
  std::vector<Parameters> places;
  for (const double block : {64, 128, 256}) {
    places.push_back(complete(softmax, {{"BLOCK", block}}));
  }
  CodeModels together(options_);
  together.prepare(softmax, h200_, places);
  for (const Parameters& place : places) {
    const Model one = code_.model(softmax, place, h200_), same = together.model(softmax, place, h200_);
    EXPECT_THAT(one.origin, testing::StartsWith("the compiled code"));
    EXPECT_EQ(one.origin, same.origin);
    EXPECT_EQ(one.flops, same.flops);
    EXPECT_EQ(one.bytes, same.bytes);
  }
}

TEST_F(CodeModelsTest, BundledKernelsClaimAndDoNothingWrong) {
  for (const Manifest& kernel : kernels_) {
    if (kernel.library.empty()) {
      EXPECT_THAT(code_.launch(kernel, complete(kernel, {}), h200_).findings, testing::IsEmpty())
          << kernel.name;
    }
  }
}

TEST_F(CodeModelsTest, AWrongClaimIsToldWithBothNumbers) {
  Manifest tiled = kernel("sgemm_tiled");
  tiled.flops = Expression("4 * M * N * K", {"M", "N", "K"});
  EXPECT_THAT(code_.launch(tiled, complete(tiled, {{"N", 1024}}), h200_).findings,
              ElementsAre("kernel.toml states 4.29 GFLOP; the compiled code executes 2.15 GFLOP."));
}

// A tile is overwritten while other warps still read it.
TEST_F(CodeModelsTest, ABarrierLeftOutOfATiledMultiplyIsARaceOfTwoLines) {
  const platform::TemporaryFolder folder;
  const std::filesystem::path own = folder.path() / "racy";
  std::filesystem::create_directories(own);
  std::ofstream(own / "racy.cu")
      << R"(extern "C" __global__ void racy(const float* A, const float* B, float* C, int N) {
  __shared__ float As[16][16], Bs[16][16];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < N; k += 16) {
    As[threadIdx.y][threadIdx.x] = A[y * N + k + threadIdx.x];
    Bs[threadIdx.y][threadIdx.x] = B[(k + threadIdx.y) * N + x];
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += As[threadIdx.y][i] * Bs[i][threadIdx.x];
  }
  C[y * N + x] = sum;
})";
  std::ofstream(own / "kernel.toml") << R"(
parameter = [{ name = "N", role = "size", values = [256], default = 256 }]
buffer = [
  { name = "A", count = "N * N", role = "input" },
  { name = "B", count = "N * N", role = "input" },
  { name = "C", count = "N * N", role = "output" },
]
[launch]
grid = ["N / 16", "N / 16"]
block = [16, 16]
arguments = [{ buffer = "A" }, { buffer = "B" }, { buffer = "C" }, { int = "N" }]
)";
  Options options;
  options.kernel_folders = {folder.path()};
  const Manifest racy = find_kernel(platform::load_catalogue_with(options.kernel_folders).kernels, "racy");
  CodeModels code(options);
  EXPECT_THAT(code.launch(racy, complete(racy, {}), h200_).findings,
              testing::Contains(testing::AllOf(HasSubstr("\"st.shared.f32\" in racy.cu:7 (lane"),
                                               HasSubstr("\"ld.shared.f32\" in racy.cu:9 (lane"),
                                               HasSubstr("no barrier stands between"))));
}

// Each change costs what an H200 was seen to pay for it.
TEST_F(CodeModelsTest, KnowWhatABadChoiceCosts) {
  const struct {
    const char* kernel;
    double size;
    const char* dial;
    double good, bad, at_least;
  } rows[] = {{"sgemm_naive", 2048, "BLOCK_X", 32, 4, 3},
              {"transpose_naive", 8192, "COALESCED_WRITES", 1, 0, 2},
              {"transpose_tiled", 8192, "PAD", 1, 0, 1.5},
              {"gemm_tf32_mma", 512, "STAGES", 4, 2, 1.05}};
  const Gpu of_datasheet = *find_gpu(platform::load_gpu_table().gpus, "H200");
  for (const auto& row : rows) {
    const auto time = [&](double value) {
      return predicted(row.kernel, {{"N", row.size}, {row.dial, value}}, of_datasheet)->time;
    };
    EXPECT_GT(time(row.bad), row.at_least * time(row.good)) << row.kernel;
  }
}

// Counted on an H200 with smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared; the conflicts by drawing them.
TEST_F(CodeModelsTest, BanksAreThoseThatAProfilerSaw) {
  const struct {
    const char* kernel;
    Parameters given;
    double wavefronts;
    int ways;  // of the worst access
  } rows[] = {{"sgemm_tiled", {{"TILE", 32}, {"PAD_A", 0}, {"N", 2048}}, 419'430'400, 1},
              {"sgemm_tiled", {{"TILE", 32}, {"PAD_A", 1}, {"N", 2048}}, 536'870'912 + 16'777'216, 1},
              {"transpose_tiled", {{"TILE", 32}, {"PAD", 0}, {"N", 2048}}, 4'194'304 + 131'072, 32},
              {"transpose_tiled", {{"TILE", 32}, {"PAD", 1}, {"N", 2048}}, 2 * 131'072, 1},
              {"transpose_tiled", {{"TILE", 32}, {"PAD", 4}, {"N", 2048}}, 5 * 131'072, 4}};
  for (const auto& row : rows) {
    const Model model = code_.model(kernel(row.kernel), complete(kernel(row.kernel), row.given), h200_);
    EXPECT_EQ(model.wavefronts(), row.wavefronts) << row.kernel << ' ' << text(row.given);
    int ways = 0;
    for (const AccessModel& access : model.accesses) {
      ways = std::max(ways, access.pattern.conflict_ways());
    }
    EXPECT_EQ(ways, row.ways) << row.kernel << ' ' << text(row.given);
  }
}

// Per FMA two loads of four bytes, which the side of a tile divides.
TEST_F(CodeModelsTest, ThreadsAskForWhatTheTextbookSays) {
  for (const auto& [name, expected] : {std::pair("sgemm_naive", 0.25), {"sgemm_tiled", 4.0}}) {
    const Parameters place = complete(kernel(name), {{"N", 4096}});
    const auto intensity = thread_intensity(code_.model(kernel(name), place, h200_));
    ASSERT_TRUE(intensity) << name;
    EXPECT_NEAR(intensity->value, expected, 0.01 * expected) << name;
  }
}

// The steps of a course on matrix multiplication, in the order in which an H200 was measured to run them.
TEST_F(CodeModelsTest, EachStepOfTheLadderIsFaster) {
  const std::vector<Gpu> gpus = platform::load_gpu_table().gpus;
  for (const char* gpu : {"H200", "A100 80GB", "RTX 4090"}) {
    Seconds before{1e9};
    for (const char* name :
         {"sgemm_uncoalesced", "sgemm_naive", "sgemm_tiled", "sgemm_tiled_vector", "sgemm_register_2d"}) {
      const auto prediction = predicted(name, {}, *find_gpu(gpus, gpu));
      ASSERT_TRUE(prediction) << gpu << ' ' << name;
      EXPECT_LT(prediction->time, before) << gpu << ' ' << name;
      before = prediction->time;
    }
  }
}

TEST_F(CodeModelsTest, ExplainRecordedPairsByTheirKnownCause) {
  const struct {
    const char* kernel;
    Parameters given;
    const char* dial;
    double from, to;
    const char* cause;
  } rows[] = {
      {"sgemm_naive", {{"N", 2048}, {"BLOCK_Y", 8}}, "BLOCK_X", 4, 32, "L1 and shared memory"},
      {"sgemm_uncoalesced", {{"N", 2048}, {"BLOCK_Y", 8}}, "BLOCK_X", 8, 32, "L1 and shared memory"},
      {"transpose_naive", {{"N", 8192}}, "COALESCED_WRITES", 0, 1, "L2"},
      {"gemm_bf16_mma", {{"N", 4096}, {"STAGES", 3}}, "PAD", 0, 1, "bank conflicts"},
      {"transpose_tiled", {{"N", 8192}, {"TILE", 32}}, "PAD", 0, 1, "bank conflicts"},
      {"transpose_tiled", {{"N", 8192}, {"PAD", 1}, {"ROWS", 1}}, "TILE", 8, 16, "waves and tail"},
      {"transpose_axpby", {{"N", 8192}}, "PAD", 0, 1, "bank conflicts"},
      {"sgemm_tiled", {{"N", 2048}}, "TILE", 16, 32, "L1 and shared memory"},
      {"histogram_cluster", {}, "SEND", 0, 1, "other blocks' memory"},
  };
  for (const auto& row : rows) {
    const auto explanation = explained(row.kernel, row.given, row.dial, row.from, row.to);
    ASSERT_TRUE(explanation) << row.kernel;
    EXPECT_EQ(explanation->largest()->name, row.cause) << row.kernel << ": " << sentence(*explanation);
  }
  // Rows that are a multiple of 16 bytes apart let the compiler merge four loads.
  EXPECT_THAT(explained("sgemm_tiled", {{"N", 2048}, {"TILE", 32}}, "PAD_A", 0, 1)->of_faster,
              HasSubstr("fewer wavefronts"));
}

}  // namespace
}  // namespace rooftile::cli
