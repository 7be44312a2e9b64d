// The recipe of a measurement, on the fake driver: each launch takes 1 ms and computes nothing.
#include "kernels/worker/measure/bench.hpp"

#include <gmock/gmock.h>

#include <map>
#include <string_view>

#include "analysis/platform/catalogue_files.hpp"
#include "kernels/worker/fakes/fake_device.hpp"
#include "kernels/worker/test_worker.hpp"

namespace rooftile::worker {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Optional;

class BenchTest : public FakeDeviceTest {
 protected:
  BenchTest() {
    fs::remove_all(folder_);
    write_kernel(folder_ / "mine", R"(
extern "C" __global__ void __launch_bounds__(BLOCK) mine(const float* in, float* out, int N) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < N) out[i] = in[i] + in[i];
}
)");
    manifest_ = platform::load_manifest(folder_ / "mine" / "kernel.toml");
  }
  ~BenchTest() override { fs::remove_all(folder_); }

  Bench bench(bool verify_only = false) {
    return {device_, compiler_,   counting_,  platform::data_directory() / "kernels",
            nullptr, verify_only, Room::exact};
  }
  MeasureJob job(std::uint64_t id, const Parameters& parameters) const {
    return {&manifest_, MeasureRequest{id, "mine", parameters, Caches::cold}};
  }
  std::vector<Point> measure(Bench& bench, const std::vector<MeasureJob>& jobs) {
    points_.clear();
    bench.measure(jobs, [&](const Record& record) { points_.push_back(std::get<Point>(record)); });
    return points_;
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) /
      ("rooftile_bench_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
  const Device device_{driver_, 0};
  const Compiler compiler_{load_nvrtc().value(), testing::TempDir()};
  Counting counting_{Facility{"profiler", Facility::State::missing, "No CUPTI.", "Install it.", ""}};
  Manifest manifest_;
  std::vector<Point> points_;
};

std::vector<std::string> names(const std::vector<Phase>& phases) {
  std::vector<std::string> names;
  for (const Phase& phase : phases) {
    names.push_back(phase.name);
  }
  return names;
}

TEST_F(BenchTest, APointIsSentAfterEachStageWithWhatThatStageLearned) {
  Bench bench = this->bench();
  const auto points = measure(bench, {job(4, {{"BLOCK", 64}, {"N", 1024}})});
  ASSERT_EQ(points.size(), 3);
  EXPECT_TRUE(points[0].compiled);
  EXPECT_FALSE(points[0].timing);
  EXPECT_TRUE(points[1].verification->passed);
  EXPECT_NEAR(points[1].timing->median.value, 1e-3, 1e-6);
  EXPECT_FALSE(points[1].final);
  EXPECT_TRUE(points[2].final);
  EXPECT_EQ(points[2].id, 4);
  EXPECT_EQ(points[2].gpu, "Fake GPU");
  EXPECT_THAT(names(points[2].phases), ElementsAre("compile", "load", "verify", "time", "count"));
  EXPECT_THAT(points[2].notes, Contains(HasSubstr("Without CUPTI nothing is counted.")));
}

TEST_F(BenchTest, BetweenItsCompilationAndItsTimesNothingElseIsOnTheDevice) {
  Bench bench = this->bench();
  std::vector<std::string> stages;
  for (const Point& point :
       measure(bench, {job(1, {{"N", 1024}}), job(2, {{"N", 1024}, {"BLOCK", 64}}), job(3, {})})) {
    stages.push_back(std::to_string(point.id) + (point.final    ? " counted"
                                                 : point.timing ? " timed"
                                                                : " compiled"));
  }
  EXPECT_THAT(stages, ElementsAre("1 compiled", "1 timed", "2 compiled", "2 timed", "1 counted", "2 counted",
                                  "3 compiled", "3 timed", "3 counted"))
      << "those of another problem are counted before the next is on its way";
}

TEST_F(BenchTest, AWrongRequestFailsAlone) {
  Bench bench = this->bench();
  const auto points = measure(bench, {job(1, {{"BLOCK", 65}}), job(2, {{"BLOCK", 64}})});
  EXPECT_EQ(points.front().id, 1);
  EXPECT_TRUE(points.front().final);
  EXPECT_THAT(points.front().failure, Optional(HasSubstr("BLOCK = 65 is not offered")));
  EXPECT_EQ(points.back().id, 2);
  EXPECT_EQ(points.back().failure, std::nullopt);
}

TEST_F(BenchTest, DialsOfOneProblemShareItsInputsAndItsReference) {
  const auto references = [] { return std::ranges::count(fake_launches(), FakeLaunch{1, 256, 0, 0}); };
  Bench bench = this->bench();
  measure(bench, {job(1, {{"BLOCK", 64}}), job(2, {{"BLOCK", 128}})});
  EXPECT_EQ(references(), 1);
  measure(bench, {job(3, {{"N", 1024}})});
  EXPECT_EQ(references(), 2) << "another size is another problem";
}

TEST_F(BenchTest, VerifyingOnlyTakesNoTime) {
  Bench bench = this->bench(true);
  const Point point = measure(bench, {job(1, {})}).back();
  EXPECT_TRUE(point.verification->passed);
  EXPECT_FALSE(point.timing);
}

TEST_F(BenchTest, WarmLaunchesFollowOneOfTheirOwnKind) {
  Bench bench = this->bench();
  MeasureJob warm = job(1, {{"BLOCK", 64}, {"N", 1024}});
  warm.request.caches = Caches::warm;
  measure(bench, {job(2, {{"BLOCK", 64}, {"N", 1024}})});
  const FakeLaunch own{16, 64, 0, 0};
  const auto cold = std::ranges::count(fake_launches(), own);
  fake_launches().clear();
  measure(bench, {warm});
  EXPECT_EQ(std::ranges::count(fake_launches(), own), 2 * cold - 1)
      << "each but the verified one has one before it";
}

TEST_F(BenchTest, EachTimedLaunchIsQueuedBehindTheGate) {
  Bench bench = this->bench();
  fake_launches().clear();
  const Point point = measure(bench, {job(1, {})}).back();
  EXPECT_GE(std::ranges::count(fake_launches(), FakeLaunch{1, 1, 0, 0}), point.timing->launches);
}

// A device whose buffers know only whether they still hold their input, which a launch of `mine` spoils.
struct Inputs {
  CUdeviceptr next_place = 0;
  std::map<CUdeviceptr, bool> whole;
  std::vector<bool> seen;  // by each launch of `mine`
  std::size_t fills = 0;
} inputs;

CUresult give_a_place(CUdeviceptr* pointer, std::size_t) {
  *pointer = inputs.next_place += 0x1000;
  return CUDA_SUCCESS;
}
CUresult name_of_function(CUfunction* function, CUmodule, const char* name) {
  *function = reinterpret_cast<CUfunction>(std::string_view(name) == "fill"   ? 2
                                           : std::string_view(name) == "mine" ? 3
                                                                              : 1);
  return CUDA_SUCCESS;
}
CUresult fill_or_spoil(const CUlaunchConfig* config, CUfunction function, void** arguments, void** extra) {
  const auto place = [&](int i) { return *static_cast<CUdeviceptr*>(arguments[i]); };
  if (function == reinterpret_cast<CUfunction>(2)) {
    inputs.whole[place(0)] = true;
    ++inputs.fills;
  } else if (function == reinterpret_cast<CUfunction>(3)) {
    inputs.seen.push_back(inputs.whole[place(1)]);
    inputs.whole[place(1)] = false;
  }
  return cuLaunchKernelEx(config, function, arguments, extra);
}

class InOutTest : public BenchTest {
 protected:
  InOutTest() {
    inputs = {};
    driver_.cuMemAlloc = give_a_place;
    driver_.cuModuleGetFunction = name_of_function;
    driver_.cuLaunchKernelEx = fill_or_spoil;
    setenv("CUDA_HOME", FAKES "/cuda", 1);
    counting_.emplace(device_, load_cupti().value());
    unsetenv("CUDA_HOME");
    std::ranges::find(manifest_.buffers, "out", &Buffer::name)->role = BufferRole::in_out;
  }
  Bench counting_bench() {
    return {device_, compiler_, *counting_, platform::data_directory() / "kernels",
            nullptr, false,     Room::exact};
  }

  std::optional<Counting> counting_;
};

TEST_F(InOutTest, EveryLaunchFindsTheSameInput) {
  for (const Caches caches : {Caches::cold, Caches::warm}) {
    Bench bench = counting_bench();
    MeasureJob one = job(1, {}), other = job(2, {{"BLOCK", 64}});
    one.request.caches = other.request.caches = caches;
    inputs.seen.clear();
    EXPECT_TRUE(measure(bench, {one, other}).back().counters);
    EXPECT_GE(inputs.seen.size(), 2u * (1 + 3 + 1)) << "verified, timed, counted";
    EXPECT_THAT(inputs.seen, testing::Each(true));
    inputs.seen.clear();
    bench.profile(manifest_, ProfileRequest{3, "mine", {}, caches}, [](const Record&) {});
    EXPECT_GE(inputs.seen.size(), 3u) << "verified, sampled, instrumented";
    EXPECT_THAT(inputs.seen, testing::Each(true));
  }
}

TEST_F(InOutTest, KernelsWithoutOneCostNoMoreThanTheirInputs) {
  std::ranges::find(manifest_.buffers, "out", &Buffer::name)->role = BufferRole::output;
  Bench bench = counting_bench();
  measure(bench, {job(1, {})});
  EXPECT_EQ(inputs.fills, 1u);
}

TEST_F(BenchTest, ABlockThatAsksForTooMuchSharedMemoryIsNotLaunched) {
  manifest_.dynamic_shared_bytes = Expression("70000", {});
  Bench bench = this->bench();
  EXPECT_THAT(
      measure(bench, {job(1, {})}).back().failure,
      Optional(std::string("A block asks for 70,000 B of shared memory; the Fake GPU allows it 65,536 B.")));
}

struct BadManifest {
  std::function<void(Manifest&)> change;
  const char* reason;
};

Expression formula(const char* text) {
  return {text, {"N", "BLOCK"}};
}

TEST_F(BenchTest, ALaunchThatCannotBeFailsAloneBeforeTheDriverIsReached) {
  const BadManifest rows[] = {
      {[](Manifest& m) { m.block[1] = formula("BLOCK"); }, "A block has 16,384 threads (BLOCK=128); a GPU"},
      {[](Manifest& m) { m.grid[1] = formula("16 * N"); },
       "The grid has 65,536 blocks along y (BLOCK=128 N=4096)"},
      {[](Manifest& m) { m.grid[0] = formula("N - 4096"); }, "\"N - 4096\" is 0 (N=4096)"},
      {[](Manifest& m) { m.cluster[0] = formula("32"); },
       "A cluster has 32 blocks; a GPU launches at most 16."},
      {[](Manifest& m) { m.cluster[0] = formula("5"); }, "no multiple of its clusters"},
      {[](Manifest& m) { m.buffers[0].count = formula("N / (BLOCK - 128)"); }, "N / (BLOCK - 128)"},
      {[](Manifest& m) { m.buffers[0].count = formula("N / (BLOCK - 129)"); }, "has -4,096 elements"},
      {[](Manifest& m) { m.buffers[0].skew = formula("1 / (BLOCK - 128)"); }, "1 / (BLOCK - 128)"},
      {[](Manifest& m) { m.arguments[2].value = formula("N * N * N"); }, "which no int holds"},
      {[](Manifest& m) { m.arguments[2].type = "long_long"; }, "Parameter 3 of mine has 4 bytes"},
      {[](Manifest& m) { m.arguments.pop_back(); }, "mine takes 3 parameters, but its manifest gives it 2"},
  };
  for (const BadManifest& row : rows) {
    Bench bench = this->bench();
    Manifest bad = manifest_;
    row.change(bad);
    fake_launches().clear();
    EXPECT_THAT(measure(bench, {{&bad, job(1, {}).request}}).back().failure, Optional(HasSubstr(row.reason)));
    EXPECT_TRUE(points_.back().final) << row.reason;
    EXPECT_TRUE(fake_launches().empty()) << row.reason;
    EXPECT_EQ(measure(bench, {{&bad, job(1, {}).request}, job(2, {})}).back().failure, std::nullopt)
        << row.reason;
    EXPECT_EQ(points_.back().id, 2) << row.reason;
  }
}

TEST_F(BenchTest, AReferenceThatCannotBeLaunchedFailsItsOwnKernelOnly) {
  const BadManifest rows[] = {
      {[](Manifest& m) { m.verify->arguments.pop_back(); }, "reference takes 3 parameters"},
      {[](Manifest& m) { m.verify->grid[0] = formula("N / 8192"); }, "The reference cannot be launched"},
  };
  for (const BadManifest& row : rows) {
    Bench bench = this->bench();
    Manifest bad = manifest_;
    row.change(bad);
    EXPECT_THAT(measure(bench, {{&bad, job(1, {}).request}}).back().failure, Optional(HasSubstr(row.reason)));
    EXPECT_EQ(measure(bench, {job(2, {})}).back().failure, std::nullopt) << row.reason;
  }
}

std::vector<std::string> looked_up;

TEST_F(BenchTest, TwoKernelsOfOneSourceAreEachTheirOwn) {
  driver_.cuModuleGetFunction = [](CUfunction* function, CUmodule, const char* name) {
    looked_up.emplace_back(name);
    *function = reinterpret_cast<CUfunction>(1);
    return CUDA_SUCCESS;
  };
  std::ofstream(folder_ / "mine" / "mine.cu", std::ios::app)
      << "extern \"C\" __global__ void yours(const float* in, float* out, int N) { out[0] = N; }\n";
  Manifest yours = manifest_;
  yours.entry = "yours";
  Bench bench = this->bench();
  looked_up.clear();
  measure(bench, {job(1, {}), {&yours, job(2, {}).request}});
  EXPECT_EQ(std::ranges::count(looked_up, "mine"), 1);
  EXPECT_EQ(std::ranges::count(looked_up, "yours"), 1);
}

TEST_F(BenchTest, AKernelOfANewerArchitectureIsNotCompiled) {
  manifest_.minimum_cc = ComputeCapability{12, 0};
  Bench bench = this->bench();
  EXPECT_THAT(measure(bench, {job(1, {})}).back().failure,
              Optional(HasSubstr("needs compute capability 12.0 or later")));
}

TEST_F(BenchTest, AFaultIsToldOfItsLaunchAndEndsTheDevice) {
  Bench bench = this->bench();
  fails("cuEventSynchronize", CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_THROW(measure(bench, {job(7, {{"BLOCK", 64}})}), DeviceLost);
  EXPECT_EQ(points_.back().id, 7);
  EXPECT_TRUE(points_.back().final);
  EXPECT_THAT(
      points_.back().failure,
      Optional(AllOf(
          HasSubstr(
              "mine BLOCK=64 read or wrote memory outside its buffers, or overflowed its stack. The driver "
              "says CUDA_ERROR_700 from cuEventSynchronize"),
          HasSubstr("rooftile-cli --kernels " + folder_.string() +
                    " measure mine BLOCK=64 --worker \"compute-sanitizer"))));
}

// It ends before the kernel is launched.
TEST_F(BenchTest, AFaultOfTheReferenceIsToldOfTheReference) {
  Bench bench = this->bench();
  fails("cuCtxSynchronize", CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_THROW(measure(bench, {job(7, {{"BLOCK", 64}})}), DeviceLost);
  EXPECT_EQ(points_.back().id, 7);
  EXPECT_THAT(
      points_.back().failure,
      Optional(AllOf(HasSubstr("The reference reference in reference.cu, which mine BLOCK=64 is verified "
                               "against, read or wrote memory outside its buffers"),
                     HasSubstr("compute-sanitizer"))));
  fails("cuCtxSynchronize", CUDA_ERROR_ECC_UNCORRECTABLE);
  EXPECT_THROW(measure(bench, {job(8, {})}), DeviceLost);
  EXPECT_THAT(points_.back().failure,
              Optional(HasSubstr("The reference reference in reference.cu, which mine is "
                                 "verified against, ended with a driver call")));
}

// The buffers stay the same, so launches of two dial positions are counted together.
TEST_F(BenchTest, AnEarlierVersionIsRunForEachOfItsMacros) {
  manifest_.verify =
      VerifyRule{manifest_.source, "mine", true, manifest_.arguments, manifest_.grid, manifest_.block};
  Bench bench = this->bench(true);
  const auto launches_of_both = [&](const Parameters& parameters, unsigned blocks, unsigned threads) {
    fake_launches().clear();
    measure(bench, {job(1, parameters)});
    return std::ranges::count(fake_launches(), FakeLaunch{blocks, threads, 0, 0});
  };
  EXPECT_EQ(launches_of_both({{"BLOCK", 64}}, 64, 64), 2) << "the reference and the kernel";
  EXPECT_EQ(launches_of_both({{"BLOCK", 64}}, 64, 64), 1);
  EXPECT_EQ(launches_of_both({{"BLOCK", 128}}, 32, 128), 2);
}

TEST_F(BenchTest, AFaultOfAKernelWithUnboundedWholeNumbersHintsAtIndices) {
  Buffer& in = *std::ranges::find(manifest_.buffers, "in", &Buffer::name);
  const auto failure = [&] {
    Bench bench = this->bench();
    fails("cuEventSynchronize", CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_THROW(measure(bench, {job(1, {})}), DeviceLost);
    return points_.back().failure.value();
  };
  EXPECT_THAT(failure(), Not(HasSubstr("indices"))) << "of floats";
  in.element = "int";
  EXPECT_THAT(failure(), HasSubstr("The numbers in in are of any bits: if they are indices"));
  in.below = Expression("8", {});
  EXPECT_THAT(failure(), Not(HasSubstr("indices")));
}

TEST_F(BenchTest, EachFaultSaysWhatTheLaunchDid) {
  const struct {
    CUresult fault;
    const char* sentence;
  } rows[] = {
      {CUDA_ERROR_MISALIGNED_ADDRESS,
       "mine read or wrote a vector at an address that is no multiple of the vector's size. The driver says"},
      {CUDA_ERROR_ASSERT, "mine failed an assert(). The driver says CUDA_ERROR_710"},
      {CUDA_ERROR_HARDWARE_STACK_ERROR, "mine overflowed its stack. The driver says"},
      {CUDA_ERROR_LAUNCH_FAILED, "mine was ended by a trap, such as __trap(), or by an access"},
      {CUDA_ERROR_ECC_UNCORRECTABLE, "mine ended with a driver call that failed: CUDA_ERROR_214 from"},
  };
  Bench bench = this->bench();
  for (const auto& row : rows) {
    fails("cuEventSynchronize", row.fault);
    EXPECT_THROW(measure(bench, {job(1, {})}), DeviceLost);
    EXPECT_THAT(points_.back().failure, Optional(HasSubstr(row.sentence)));
  }
}

TEST_F(BenchTest, EachLongLaunchIsReported) {
  launches_take("500");
  Bench bench = this->bench();
  std::vector<std::string> reports;
  bench.measure({job(1, {{"BLOCK", 64}})}, [&](const Record& record) {
    if (const auto* progress = std::get_if<Progress>(&record)) {
      reports.push_back(progress->what);
    }
  });
  EXPECT_THAT(reports, ElementsAre("mine BLOCK=64, timing: 500 ms per launch",
                                   "mine BLOCK=64, timing: 500 ms per launch",
                                   "mine BLOCK=64, timing: 500 ms per launch"));
}

TEST_F(BenchTest, AProfileWithoutCuptiSaysWhatToInstall) {
  Bench bench = this->bench();
  std::optional<SourceProfile> sent;
  bench.profile(manifest_, ProfileRequest{9, "mine", {{"N", 1024}}, Caches::cold},
                [&](const Record& record) { sent = std::get<SourceProfile>(record); });
  ASSERT_TRUE(sent);
  EXPECT_EQ(sent->id, 9);
  EXPECT_EQ(sent->file, "mine.cu");
  EXPECT_THAT(sent->source, HasSubstr("__launch_bounds__(BLOCK)"));
  EXPECT_EQ(sent->failure, "No CUPTI. Install it.");
}

}  // namespace
}  // namespace rooftile::worker
