// The real program on a real GPU: what it measures is what must be.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "analysis/chip/occupancy.hpp"
#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/text_file.hpp"
#include "analysis/text/format.hpp"
#include "kernels/worker/some_combinations.hpp"
#include "kernels/worker/test_array.hpp"
#include "kernels/worker/test_worker.hpp"

namespace rooftile::worker {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Optional;

using State = Facility::State;

// Within so much of what is expected.
testing::Matcher<double> about(double expected, double share) {
  return testing::DoubleNear(expected, share * expected);
}

double conflict_share(const Point& point) {
  return *point.counters->shared_conflicts / *point.counters->shared_wavefronts;
}

double theoretical_occupancy(const Point& point) {
  const BlockResources block = {.threads = static_cast<int>(point.launch.block.count()),
                                .registers_per_thread = point.compiled->registers,
                                .static_shared_bytes = point.compiled->static_shared_bytes,
                                .dynamic_shared_bytes = point.launch.dynamic_shared_bytes};
  return occupancy(block, sm_limits(point.compiled->cc).value()).ratio();
}

// FLOPs as modelled to the last one; others say in their manifest why they are not.
bool counts_exactly(const std::string& kernel) {
  const auto exact = {"sgemm_naive",     "sgemm_tiled",    "transpose_tiled", "gemm_bf16_mma",
                      "gemm_bf16_wgmma", "gemm_fp8_wgmma", "gemm_tf32_mma",   "gemm_tf32_wgmma"};
  return std::find(exact.begin(), exact.end(), kernel) != exact.end();
}

class GpuTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_);
    worker_.emplace(folder_);
    const auto device = worker_->facility("device"), counters = worker_->facility("counters");
    if (!device || device->state != State::ready) {
      GTEST_SKIP() << "No GPU here: " << (device ? device : worker_->facility("driver"))->sentence;
    }
    if (counters->state != State::ready) {
      GTEST_SKIP() << "No counters here: " << counters->sentence << " " << counters->detail;
    }
  }

  Point measure(const std::string& kernel, const Parameters& parameters, Caches caches = Caches::cold) {
    return measure(*worker_, kernel, parameters, caches);
  }
  static Point measure(WorkerProgram& worker, const std::string& kernel, const Parameters& parameters,
                       Caches caches = Caches::cold) {
    return worker.ask(MeasureRequest{1, kernel, parameters, caches});
  }
  // A worker that also knows `mine`.
  WorkerProgram start_with(const std::string& source, const std::string& work = "") {
    write_kernel(folder_ / "kernels" / "mine", source, work);
    return WorkerProgram(folder_, {"--kernels", (folder_ / "kernels").string()});
  }

  // Shared by all tests, so that the roofs are measured once.
  const fs::path folder_ = fs::path(testing::TempDir()) / "rooftile_gpu_test";
  std::optional<WorkerProgram> worker_;
};

TEST_F(GpuTest, TheStagesOfAPointArriveOneByOne) {
  worker_->write(to_line(Request{MeasureRequest{5, "sgemm_tiled", {{"N", 512}}, Caches::cold}}));
  const auto points = worker_->answer();
  ASSERT_THAT(points.size(), testing::AnyOf(3, 4)) << "where the chip counts the place first, there are 4";
  EXPECT_EQ(points[0].evidence(), Evidence::predicted);
  EXPECT_TRUE(points[0].compiled);
  EXPECT_EQ(points[1].evidence(), Evidence::timed);
  EXPECT_TRUE(points.back().counters.value().achieved_occupancy);
  for (std::size_t i = 2; i < points.size(); ++i) {
    EXPECT_EQ(points[i].evidence(), Evidence::counted);
    EXPECT_EQ(points[i].counted_flops(), points.back().counted_flops());
    EXPECT_EQ(points[i].counters->l2, points.back().counters->l2);
  }
  for (const Point& point : points) {
    EXPECT_EQ(point.id, 5u);
    EXPECT_EQ(point.final, &point == &points.back());
  }
}

TEST_F(GpuTest, TheTiledProductIsCountedAsItsModelSays) {
  for (const int tile : {8, 16, 32}) {
    const Point point = measure("sgemm_tiled", {{"TILE", tile}, {"N", 512}});
    ASSERT_EQ(point.failure, std::nullopt) << tile;
    EXPECT_TRUE(point.verification->passed) << tile;
    const Counters& counters = point.counters.value();
    EXPECT_EQ(point.counted_flops(), point.modelled.flops) << tile;
    constexpr double n = 512;
    EXPECT_THAT(counters.l1->value, about(4 * (2 * n * n * n / tile + n * n), 0.02)) << tile;
    EXPECT_GT(*counters.achieved_occupancy, 0) << tile;
    EXPECT_LE(*counters.achieved_occupancy, theoretical_occupancy(point) + 0.01) << tile;
  }
}

TEST_F(GpuTest, PaddingTakesTheConflictsOutOfTheTranspose) {
  const Point without = measure("transpose_tiled", {{"TILE", 32}, {"PAD", 0}, {"N", 2048}});
  const double requests = 2048.0 * 2048 / 32;  // of a warp each: so many loads, and as many stores
  EXPECT_THAT(without.counters.value().shared_wavefronts.value(), about((32 + 1) * requests, 0.03));
  EXPECT_THAT(conflict_share(without), about(31.0 / 33, 0.03));
  EXPECT_LT(conflict_share(measure("transpose_tiled", {{"TILE", 32}, {"PAD", 1}, {"N", 2048}})), 0.1);
}

TEST_F(GpuTest, ColdCachesReadTheCompulsoryBytesAndWarmOnesHoldThem) {
  const Parameters parameters = {{"N", 1024}};
  const double inputs = 2 * 4.0 * 1024 * 1024;
  const Point cold = measure("sgemm_tiled", parameters, Caches::cold);
  const Point warm = measure("sgemm_tiled", parameters, Caches::warm);
  EXPECT_EQ(warm.caches, Caches::warm);
  EXPECT_THAT(cold.counters.value().dram_read->value, about(inputs, 0.05));
  EXPECT_LT(warm.counters.value().dram_read->value, inputs / 2);
}

TEST_F(GpuTest, APointKnowsItsClockAndWhatLimitsIt) {
  ASSERT_EQ(worker_->facility("clock").value().state, State::ready);
  const Point point = measure("sgemm_tiled", {{"TILE", 32}, {"N", 1024}});
  ASSERT_TRUE(point.clock);
  EXPECT_GT(point.clock->now.value, 0.5 * point.clock->highest.value);
  EXPECT_LE(point.clock->now.value, point.clock->highest.value);
  const Counters& counters = point.counters.value();
  for (const auto& share : {counters.issue_use, counters.fma_pipe_use, counters.lsu_pipe_use,
                            counters.l1_hit_rate(), counters.l2_hit_rate()}) {
    EXPECT_GT(share.value(), 0);
    EXPECT_LE(share.value(), 1);
  }
  EXPECT_GT(counters.warp_instructions.value(), counters.ffma.value() / 32);
}

TEST_F(GpuTest, EachLineOfALaunchIsCountedAndSampled) {
  const Parameters unpadded = {{"TILE", 32}, {"PAD", 0}, {"N", 2048}};
  const double requests = 2048.0 * 2048 / 32;
  for (int round = 0; round < 2; ++round) {  // CUPTI takes some of its configurations only once
    const SourceProfile profile = worker_->profile({1, "transpose_tiled", unpadded, Caches::cold});
    ASSERT_EQ(profile.failure, std::nullopt);
    EXPECT_THAT(profile.notes, testing::IsEmpty());
    const auto worst = std::ranges::max_element(
        profile.lines, {}, [](const LineProfile& line) { return line.shared_wavefronts.value_or(0); });
    EXPECT_EQ(worst->shared_wavefronts, 32 * requests) << "of the load of a column";
    EXPECT_EQ(worst->ideal_shared_wavefronts, requests);
    EXPECT_EQ(total(profile).shared_wavefronts, 33 * requests);
    EXPECT_EQ(total(profile).global_sectors, 2 * 4 * requests) << "four sectors per row, in and out";
    EXPECT_GT(total(profile).samples(), 1000);
    EXPECT_THAT(profile.source, HasSubstr("transpose_tiled("));
    EXPECT_EQ(stalls(*worst).front().reason, "short_scoreboard");
  }
}

TEST_F(GpuTest, PointsAfterAProfileAreCountedAsBefore) {
  const Parameters parameters = {{"TILE", 16}, {"PAD_A", 1}, {"N", 512}};
  const Point before = measure("sgemm_tiled", parameters);
  EXPECT_EQ(worker_->profile({2, "sgemm_tiled", parameters, Caches::cold}).failure, std::nullopt);
  const Point after = measure("sgemm_tiled", parameters);
  ASSERT_TRUE(after.counters);
  EXPECT_EQ(after.counted_flops(), before.counted_flops());
  EXPECT_EQ(after.counted_flops(), after.modelled.flops);
}

TEST_F(GpuTest, ALaunchTooLongForItsLinesIsRefusedWithAWayOut) {
  const SourceProfile refused = worker_->profile({3, "sgemm_naive", {{"N", 16384}}, Caches::cold, Seconds{60}});
  EXPECT_THAT(refused.failure, Optional(HasSubstr("Choose a smaller size")));
}

class EveryKernel : public GpuTest, public testing::WithParamInterface<Manifest> {};

// Sizes and factors take turns over combinations of the dials, of which some stand for hundreds.
TEST_P(EveryKernel, IsRightWithAllItsDialsForRaggedSizes) {
  const std::vector<Parameters> sizes = {
      {{"M", 1}, {"N", 1}, {"K", 1}},
      {{"M", 1}, {"N", 64}, {"K", 33}, {"EXTRA", 1}},
      {{"M", 17}, {"N", 1}, {"K", 5}, {"EXTRA", 32}},
      {{"M", 31}, {"N", 33}, {"K", 32}},
      {{"M", 64}, {"N", 64}, {"K", 64}, {"EXTRA", 8}},
      {{"M", 67}, {"N", 129}, {"K", 65}, {"EXTRA", 3}},
      {{"M", 127}, {"N", 62}, {"K", 254}, {"EXTRA", 2}},  // rows start at 16 bytes and are cut
      {{"M", 131}, {"N", 264}, {"K", 72}},
  };
  const std::vector<Parameters> factors = {
      {{"alpha", 1}, {"beta", 0}},  {{"alpha", 1}, {"beta", 1}},   {{"alpha", -1}, {"beta", 0.5}},
      {{"alpha", 2}, {"beta", -1}}, {{"alpha", 0.5}, {"beta", 0}},
  };
  const Manifest& manifest = GetParam();
  std::size_t turn = 0;
  for (Parameters parameters : some_combinations(manifest, 25)) {
    for (const auto& more : {sizes[turn % sizes.size()], factors[turn % factors.size()]}) {
      for (const auto& [name, value] : more) {
        if (manifest.parameter(name)) {
          parameters[name] = value;
        }
      }
    }
    ++turn;
    if (why_illegal(manifest, parameters)) {
      continue;  // TMA wants rows of whole 16 bytes
    }
    const Point point = measure(manifest.name, parameters);
    ASSERT_EQ(point.failure, std::nullopt) << text(parameters);
    EXPECT_TRUE(point.verification.value().passed) << text(parameters);
    if (counts_exactly(manifest.name)) {
      EXPECT_EQ(point.counted_flops(), point.modelled.flops.value_or(Flops{0})) << text(parameters);
    }
  }
  EXPECT_GT(turn, 0u);
}

INSTANTIATE_TEST_SUITE_P(Bundled, EveryKernel, testing::ValuesIn(platform::load_catalogue_with({}).kernels),
                         testing::PrintToStringParamName());

// Two numbers per instruction. The product in FP32 and the constants that HFMA2 loads come on top.
TEST_F(GpuTest, HalfPrecisionIsCountedWhereItIsTheWork) {
  worker_.reset();
  WorkerProgram worker = start_with(R"(
extern "C" __global__ void mine(const float* in, float* out, int N) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  unsigned pair = threadIdx.x;
#pragma unroll
  for (int k = 0; k < 64; ++k) asm volatile("fma.rn.f16x2 %0, %0, %0, %0;" : "+r"(pair));
  if (i < N) out[i] = pair == 0xffffffff ? 7 : 2 * in[i];  // never 7, which the compiler cannot know
})",
                                    "flops = \"64 * 4 * N\"\npipe = \"FP16 FMA\"\n");
  const Point point = measure(worker, "mine", {});
  ASSERT_EQ(point.failure, std::nullopt);
  EXPECT_GE(point.counted_flops().value(), *point.modelled.flops);
  EXPECT_THAT(point.counted_flops()->value, about(point.modelled.flops->value, 0.05));
  EXPECT_FALSE(measure(worker, "sgemm_tiled", {{"N", 256}}).counters.value().hfma);
}

TEST_F(GpuTest, AKernelWhoseWorkNobodyStatedIsCountedOnItsBusiestPipe) {
  worker_.reset();
  const struct {
    const char* name;
    const char* body;  // of a kernel that doubles
    const char* pipe;
    double least_flops;  // per thread
  } rows[] = {
      {"in_half", "const __half x = __float2half(in[i]); out[i] = __half2float(__hadd_rn(x, x));", fp16_pipe,
       1},
      {"widened", "const __half x = __float2half(in[i]); out[i] = __half2float(x) + __half2float(x);",
       fp32_pipe, 1},
      {"in_float", "out[i] = 2 * in[i];", fp32_pipe, 1},
      {"copied", "out[i] = __uint_as_float(__float_as_uint(in[i]) + 0x800000);", fp32_pipe, 0},
  };
  for (const auto& row : rows) {
    write_kernel(folder_ / "kernels" / "mine", fmt::format(R"(
#include <cuda_fp16.h>
extern "C" __global__ void mine(const float* in, float* out, int N) {{
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < N) {{ {} }}
}})",
                                                           row.body));
    const fs::path file = folder_ / "kernels" / "mine" / "kernel.toml";
    const std::string manifest = platform::read_text(file).value();
    std::ofstream(file) << manifest.substr(0, manifest.find("[work]"));
    WorkerProgram worker(folder_, {"--kernels", (folder_ / "kernels").string()});
    const Point point = measure(worker, "mine", {{"N", 4096}});
    ASSERT_EQ(point.failure, std::nullopt) << row.name;
    EXPECT_EQ(point.modelled.pipe, row.pipe) << row.name;
    EXPECT_GE(point.counted_flops()->value, row.least_flops * 4096) << row.name;
    EXPECT_LE(point.counted_flops()->value, 4 * row.least_flops * 4096) << row.name;
  }
}

TEST_F(GpuTest, AWrongResultFailsThePointWhichIsNeitherTimedNorCounted) {
  worker_.reset();
  WorkerProgram worker = start_with(R"(
extern "C" __global__ void mine(const float* in, float* out, int N) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < N) out[i] = i == 1000 ? 7 : 2 * in[i];
})");
  const Point wrong = measure(worker, "mine", {});
  EXPECT_THAT(wrong.failure, Optional(AllOf(HasSubstr("The result is wrong: out: element 1000 is 7"),
                                            HasSubstr("the reference says"))));
  EXPECT_FALSE(wrong.verification.value().passed);
  EXPECT_FALSE(wrong.timing);
  EXPECT_FALSE(wrong.counters);
  EXPECT_TRUE(wrong.final);
  EXPECT_TRUE(measure(worker, "sgemm_tiled", {{"N", 256}}).counters);  // nothing else suffers
}

TEST_F(GpuTest, AnOutputNeverWrittenIsWrong) {
  worker_.reset();
  WorkerProgram worker = start_with(R"(
extern "C" __global__ void mine(const float* in, float* out, int N) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < N - 1) out[i] = 2 * in[i];
})");
  EXPECT_THAT(measure(worker, "mine", {{"N", 1024}}).failure,
              Optional(AllOf(HasSubstr("out: element 1023 is "), HasSubstr("nan"))));
}

TEST_F(GpuTest, AScalarOfEachTypeArrives) {
  worker_.reset();
  write_kernel(folder_ / "kernels" / "mine", R"(
#include <cuda_bf16.h>
#include <cuda_fp16.h>
extern "C" __global__ void mine(const float* in, float* out, int N, __half a, __nv_bfloat16 b, bool c, short d) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < N) out[i] = c && d == -3 ? in[i] * __half2float(a) * __bfloat162float(b) : 0;
})");
  const fs::path file = folder_ / "kernels" / "mine" / "kernel.toml";
  std::string manifest = platform::read_text(file).value();
  const std::string last = "{ int = \"N\" }";
  manifest.insert(manifest.find(last) + last.size(),
                  ", { half = 4 }, { bfloat16 = 0.5 }, { char = 1 }, { short = -3 }");
  std::ofstream(file) << manifest
                      << "arguments = [{ buffer = \"in\" }, { buffer = \"out\" }, { int = \"N\" }]\n";
  WorkerProgram worker(folder_, {"--kernels", (folder_ / "kernels").string()});
  const Point point = measure(worker, "mine", {{"N", 1024}});
  EXPECT_EQ(point.failure, std::nullopt);
  EXPECT_TRUE(point.verification.value().passed);
}

TEST_F(GpuTest, WholeNumbersAreIndicesAndOffsets) {
  worker_.reset();
  fs::create_directories(folder_ / "kernels" / "mine");
  std::ofstream(folder_ / "kernels" / "mine" / "mine.cu") << R"(
extern "C" __global__ void mine(const int* offsets, const long long* ids, const float* x, int* differ, int N) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  if (offsets[i] != 3 * i || offsets[N] != 3 * N) __trap();
  if (ids[i] < 0 || ids[i] >= N || x[i] < 0 || x[i] >= 8 || differ[i] < 0) __trap();
  if (ids[i] != ids[0]) differ[0] = 1;
})";
  std::ofstream(folder_ / "kernels" / "mine" / "kernel.toml") << R"toml(
[[parameter]]
name = "N"
role = "size"
values = [100000]
default = 100000
[[buffer]]
name = "offsets"
element = "int"
count = "N + 1"
below = "3 * N + 1"
order = "ascending"
role = "input"
[[buffer]]
name = "ids"
element = "long_long"
count = "N"
below = "N"
role = "input"
[[buffer]]
name = "x"
count = "N"
below = 8
role = "input"
[[buffer]]
name = "differ"
element = "int"
count = "N"
below = 1
role = "in_out"
[launch]
arguments = [{ buffer = "offsets" }, { buffer = "ids" }, { buffer = "x" }, { buffer = "differ" }, { int = "N" }]
grid = "ceil_div(N, 256)"
block = 256
)toml";
  WorkerProgram worker(folder_, {"--kernels", (folder_ / "kernels").string()});
  const Point point = measure(worker, "mine", {});
  EXPECT_EQ(point.failure, std::nullopt);
  EXPECT_TRUE(point.counters);
  EXPECT_EQ(point.version.size(), 16u);
}

TEST_F(GpuTest, ArraysOfNumPyAreTheInputAndWhatIsExpected) {
  worker_.reset();
  write_kernel(folder_ / "kernels" / "mine", R"(
extern "C" __global__ void mine(const float* in, float* out, int N) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < N) out[i] = 2 * in[i];
})");
  const fs::path file = folder_ / "kernels" / "mine" / "kernel.toml";
  std::string manifest = platform::read_text(file).value();
  manifest.insert(manifest.find("role = \"input\""), "file = \"in.npy\"\n");
  std::ofstream(file) << manifest.substr(0, manifest.find("[verify]"))
                      << "[verify]\nfiles = [\"out.npy\"]\ntolerance = 0\n";
  std::vector<float> in(1024), out(1024);
  for (std::size_t i = 0; i < in.size(); ++i) {
    in[i] = static_cast<float>(i) / 8;
    out[i] = static_cast<float>(i) / 4;
  }
  write_array(file.parent_path() / "in.npy", in);
  write_array(file.parent_path() / "out.npy", out);
  WorkerProgram worker(folder_, {"--kernels", (folder_ / "kernels").string()});
  const Point right = measure(worker, "mine", {{"N", 1024}});
  EXPECT_EQ(right.failure, std::nullopt);
  EXPECT_TRUE(right.counters);
  out[100] = 7;
  write_array(file.parent_path() / "out.npy", out);
  fs::last_write_time(file.parent_path() / "out.npy", fs::file_time_type::clock::now() + std::chrono::hours(1));
  EXPECT_THAT(measure(worker, "mine", {{"N", 1024}}).failure,
              Optional(HasSubstr("out: element 100 is 25, the reference says 7")));
  EXPECT_THAT(measure(worker, "mine", {{"N", 4096}}).failure,
              Optional(HasSubstr("in.npy has 1,024 elements, and the buffer 4,096.")));
}

// The place of a buffer decides which slices of L2 serve it.
TEST_F(GpuTest, ASmallBufferStartsWithAPageWhateverWasMeasuredBefore) {
  worker_.reset();
  WorkerProgram worker = start_with(R"(
extern "C" __global__ void mine(const float* in, float* out, int N) {
  const bool aligned = (((long long)in | (long long)out) & 0xffff) == 0;  // every page has at least 64 KiB
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < N) out[i] = aligned ? 2 * in[i] : 7;
})");
  for (const int n : {1024, 4096, 1024}) {
    EXPECT_EQ(measure(worker, "mine", {{"N", n}}).failure, std::nullopt) << n;
    EXPECT_EQ(measure(worker, "histogram_global", {{"N", 1048576}}).failure, std::nullopt);
  }
}

TEST_F(GpuTest, AKernelThatFaultsFailsItsPointAndEndsTheWorker) {
  worker_.reset();
  WorkerProgram worker = start_with(R"(
extern "C" __global__ void mine(const float* in, float* out, int N) {
  out[(long long)N * BLOCK << 32] = in[threadIdx.x];
})");
  EXPECT_THAT(measure(worker, "mine", {}).failure, Optional(HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS")));
  EXPECT_EQ(worker.wait(), "ended with status 0") << "after its farewell";
  EXPECT_TRUE(measure(worker_.emplace(folder_), "sgemm_tiled", {{"N", 256}}).counters);
}

TEST_F(GpuTest, TheCountersAreGivenBackWhenIdleAndAreBusyUntilThen) {
  const Parameters small = {{"N", 256}};
  worker_.reset();
  WorkerProgram first(folder_, {"--idle", "4"});
  EXPECT_TRUE(measure(first, "sgemm_tiled", small).counters);

  WorkerProgram second(folder_);
  ASSERT_TRUE(second.facility("counters"));
  EXPECT_EQ(second.facility("counters")->state, State::busy);
  const Point refused = measure(second, "sgemm_tiled", small);
  EXPECT_EQ(refused.failure, std::nullopt);
  EXPECT_TRUE(refused.timing);
  EXPECT_FALSE(refused.counters);
  EXPECT_THAT(refused.notes, Contains(HasSubstr("Another profiler holds the counters")));

  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!measure(second, "sgemm_tiled", small).counters) {
    ASSERT_LT(std::chrono::steady_clock::now(), patience) << "the first worker keeps the counters";
  }
  EXPECT_FALSE(measure(first, "sgemm_tiled", small).counters);
  EXPECT_EQ(second.end(), "ended with status 0");
  EXPECT_TRUE(measure(first, "sgemm_tiled", small).counters);
}

}  // namespace
}  // namespace rooftile::worker
