// The whole conversation of the real program on the fake driver and the fake CUPTI, whose counters it does not
// trust: everything but counting works.
#include <gmock/gmock.h>

#include <map>
#include <optional>

#include "analysis/chip/memory_level.hpp"
#include "analysis/chip/pipe.hpp"
#include "kernels/worker/test_worker.hpp"

namespace rooftile::worker {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Optional;
using testing::StartsWith;

using State = Facility::State;

class FakeGpuTest : public testing::Test {
 protected:
  FakeGpuTest() {
    setenv("LD_LIBRARY_PATH", FAKES "/driver", 1);
    setenv("CUDA_HOME", FAKES "/cuda", 1);
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    cubins_.emplace(folder_);
  }
  ~FakeGpuTest() override {
    for (const char* name : {"LD_LIBRARY_PATH", "CUDA_HOME", "FAKE_CUBLAS"}) {
      unsetenv(name);
    }
    cubins_.reset();
    fs::remove_all(folder_);
  }

  WorkerProgram start(const std::vector<std::string>& options = {}) const {
    return WorkerProgram(folder_, options);
  }
  // The worker's answers to these lines, until its input ends.
  std::vector<Record> conversation(const std::vector<std::string>& options,
                                   const std::vector<Request>& requests) {
    std::vector<std::string> words = {(platform::executable_directory() / "rooftile-worker").string()};
    words.insert(words.end(), options.begin(), options.end());
    setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
    platform::ChildProcess program(words, folder_ / "worker.log");
    for (const Request& request : requests) {
      program.write_line(to_line(request));
    }
    program.close_input();
    std::vector<Record> records;
    while (const auto line = program.read_line()) {
      records.push_back(parse_record(*line).value());
    }
    return records;
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) /
      (std::string("rooftile_fake_gpu_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  std::optional<SharedCubins> cubins_;
};

template <class T>
std::vector<T> only(const std::vector<Record>& records) {
  std::vector<T> found;
  for (const Record& record : records) {
    if (const auto* one = std::get_if<T>(&record)) {
      found.push_back(*one);
    }
  }
  return found;
}

MeasureRequest tiled(std::uint64_t id, double tile) {
  return {id, "sgemm_tiled", {{"N", 256}, {"TILE", tile}}, Caches::cold};
}

TEST_F(FakeGpuTest, IntroducesItselfItsGpuAndTheRoofsOfMemory) {
  const auto records = conversation({}, {});
  ASSERT_GE(records.size(), 3u);
  const auto& header = std::get<Header>(records[0]);
  std::vector<std::string> names;
  for (const Facility& facility : header.facilities) {
    names.push_back(facility.name);
  }
  EXPECT_THAT(names, ElementsAre("driver", "device", "compiler", "clock", "profiler", "counters"));
  const Roofs& roofs = std::get<RoofsRecord>(records[1]).roofs;
  EXPECT_EQ(std::get<DeviceRecord>(records[2]).gpu.name, "Fake GPU");
  EXPECT_EQ(std::get<DeviceRecord>(records[2]).driver, "13.0");
  EXPECT_EQ(roofs.gpu, "Fake GPU");
  for (const MemoryLevel level : memory_levels) {
    EXPECT_NE(roofs.find(level, Origin::measured), nullptr) << title(level);
  }
}

TEST_F(FakeGpuTest, LaunchesThatCameTogetherAreEachAnsweredToTheEnd) {
  const auto points = only<Point>(conversation({}, {tiled(1, 8), tiled(2, 16), tiled(3, 7), tiled(4, 32)}));
  std::map<std::uint64_t, Point> last;
  for (const Point& point : points) {
    EXPECT_FALSE(last[point.id].final) << point.id << " was finished already";
    last[point.id] = point;
  }
  ASSERT_EQ(last.size(), 4u);
  for (const auto& [id, point] : last) {
    EXPECT_TRUE(point.final) << id;
    EXPECT_EQ(point.failure.has_value(), id == 3) << id;
    EXPECT_EQ(point.timing.has_value(), id != 3) << id;
  }
  EXPECT_THAT(last[3].failure, Optional(HasSubstr("TILE = 7 is not offered")));
}

TEST_F(FakeGpuTest, WorkThatIsNoAmountIsToldOfItsLaunchAlone) {
  fs::create_directories(folder_ / "k");
  std::ofstream(folder_ / "k" / "k.cu") << "extern \"C\" __global__ void k(float* a, int n) { a[0] = n; }";
  std::ofstream(folder_ / "k" / "kernel.toml") << R"toml(source = "k.cu"
parameter = [{ name = "N", role = "size", values = [1024, 4096, 1e15], default = 1024 }]
buffer = [{ name = "a", count = "1024", role = "output" }]
work.flops = "N - 2048"
[launch]
arguments = [{ buffer = "a" }, { int = "min(N, 1024)" }]
grid = ["1"]
block = ["32"]
)toml";
  const auto asked = [](std::uint64_t id, double n) {
    return MeasureRequest{id, "k", {{"N", n}}, Caches::cold};
  };
  const auto points = only<Point>(
      conversation({"--kernels", folder_.string()}, {asked(1, 1024), asked(2, 4096), asked(3, 1e15)}));
  std::map<std::uint64_t, Point> last;
  for (const Point& point : points) {
    last[point.id] = point;
  }
  EXPECT_THAT(last[1].failure, Optional(HasSubstr("flops: \"N - 2048\" is -1024 (N=1024)")));
  EXPECT_EQ(last[2].failure, std::nullopt);
  EXPECT_TRUE(last[2].timing);
  EXPECT_EQ(last[3].failure, std::nullopt);
}

TEST_F(FakeGpuTest, TheRoofOfItsPipeIsThereBeforeAKernelIs) {
  const auto records = conversation({}, {tiled(1, 16)});
  bool roof_known = false;
  for (const Record& record : records) {
    if (const auto* roofs = std::get_if<RoofsRecord>(&record)) {
      roof_known = roof_known || roofs->roofs.find(fp32_pipe, Origin::measured) != nullptr;
    } else if (std::holds_alternative<Point>(record)) {
      EXPECT_TRUE(roof_known);
    }
  }
  EXPECT_TRUE(roof_known);
}

TEST_F(FakeGpuTest, AskedForItMeasuresEveryRoofAndTellsHowFarItIs) {
  const auto records = conversation({}, {RoofsRequest{5}});
  const auto progress = only<Progress>(records);
  ASSERT_FALSE(progress.empty());
  for (std::size_t i = 0; i < progress.size(); ++i) {
    EXPECT_EQ(progress[i].done, static_cast<int>(i));
    EXPECT_EQ(progress[i].total, static_cast<int>(progress.size()));
  }
  const RoofsRecord answer = only<RoofsRecord>(records).back();
  EXPECT_EQ(answer.id, 5u);
  for (const char* pipe : {fp32_pipe, fp64_pipe, bf16_tensor_pipe, int8_tensor_pipe}) {
    EXPECT_NE(answer.roofs.find(pipe, Origin::measured), nullptr) << pipe;
  }
  EXPECT_THAT(only<Progress>(conversation({}, {RoofsRequest{6}})), IsEmpty()) << "they are kept";
  EXPECT_EQ(only<Progress>(conversation({}, {RoofsRequest{7, true}})).size(),
            progress.size() + memory_levels.size())
      << "those of memory too";
}

TEST_F(FakeGpuTest, RoofsThatCannotBeMeasuredAreNamedAndEndNothing) {
  setenv("FAKE_DRIVER", "cuLaunchKernelEx=912", 1);  // CUDA_ERROR_INVALID_CLUSTER_SIZE
  WorkerProgram worker = start();
  const auto roofs = worker.facility("roofs");
  unsetenv("FAKE_DRIVER");
  ASSERT_TRUE(roofs);
  EXPECT_EQ(roofs->state, State::failed);
  EXPECT_THAT(roofs->detail, HasSubstr("The roof DRAM could not be measured: "));
  EXPECT_THAT(worker.ask(tiled(1, 16)).failure, Optional(HasSubstr("This GPU has no room for a cluster")));
  EXPECT_TRUE(worker.ask(CompileRequest{2, "sgemm_tiled", {}, {9, 0}}).compiled);
  EXPECT_EQ(worker.end(), "ended with status 0");
}

TEST_F(FakeGpuTest, ALibrarysKernelIsLaunchedWithoutACompiler) {
  WorkerProgram worker = start();
  const Point point = worker.ask(MeasureRequest{1, "cublas_sgemm", {{"N", 256}}, Caches::warm});
  EXPECT_EQ(point.failure, std::nullopt);
  EXPECT_FALSE(point.compiled);
  EXPECT_TRUE(point.verification->passed);
  EXPECT_TRUE(point.timing);
  const SourceProfile lines = worker.profile(ProfileRequest{2, "cublas_sgemm", {{"N", 256}}, Caches::cold});
  EXPECT_EQ(lines.failure, "The kernels of a library have no source to look at.");
}

TEST_F(FakeGpuTest, ALibraryThatFailsFailsItsOwnLaunchOnly) {
  setenv("FAKE_CUBLAS", "cublasGemmEx=13", 1);
  WorkerProgram worker = start();
  EXPECT_THAT(worker.ask(MeasureRequest{1, "cublas_sgemm", {{"N", 256}}, Caches::cold}).failure,
              Optional(StartsWith("cublasGemmEx failed: CUBLAS_STATUS_")));
  EXPECT_EQ(worker.ask(tiled(2, 16)).failure, std::nullopt);
}

TEST_F(FakeGpuTest, AProfileThatCannotBeMadeSaysWhy) {
  const struct {
    ProfileRequest request;
    const char* reason;
  } rows[] = {
      {{1, "sgemm_tilde", {}, Caches::cold}, "there is no kernel \"sgemm_tilde\""},
      {{2, "sgemm_tiled", {{"TILE", 7}}, Caches::cold}, "TILE = 7 is not offered"},
      {{3, "sgemm_tiled", {{"N", 256}}, Caches::cold}, "CUPTI gathered nothing of this launch."},
  };
  WorkerProgram worker = start();
  for (const auto& row : rows) {
    const SourceProfile answer = worker.profile(row.request);
    EXPECT_EQ(answer.id, row.request.id);
    EXPECT_THAT(answer.failure, Optional(HasSubstr(row.reason)));
    EXPECT_THAT(answer.lines, IsEmpty());
  }
  EXPECT_EQ(worker.ask(tiled(4, 16)).failure, std::nullopt) << "it measures as before";
}

TEST_F(FakeGpuTest, VerifyingOnlyNeitherTimesNorMeasuresRoofs) {
  const auto records = conversation({"--verify-only"}, {tiled(1, 16)});
  const Point point = only<Point>(records).back();
  EXPECT_TRUE(point.final);
  EXPECT_TRUE(point.verification->passed);
  EXPECT_FALSE(point.timing);
  for (const RoofsRecord& record : only<RoofsRecord>(records)) {
    EXPECT_THAT(record.roofs.memory, IsEmpty());
  }
}

TEST_F(FakeGpuTest, CompilingOnlyLeavesTheGpuAlone) {
  const auto records =
      conversation({"--compile-only"}, {CompileRequest{1, "sgemm_tiled", {}, {9, 0}}, tiled(2, 16),
                                        RoofsRequest{3}, ProfileRequest{4, "sgemm_tiled", {}, Caches::cold}});
  EXPECT_THAT(only<DeviceRecord>(records), IsEmpty());
  const auto points = only<Point>(records);
  ASSERT_EQ(points.size(), 2u);
  EXPECT_TRUE(points[0].compiled);
  EXPECT_EQ(points[1].failure, "This worker was started to compile only.");
  EXPECT_EQ(only<RoofsRecord>(records).back().id, 3u);
  EXPECT_THAT(only<RoofsRecord>(records).back().roofs.memory, IsEmpty());
  EXPECT_EQ(only<SourceProfile>(records).back().failure, "This worker was started to compile only.");
}

}  // namespace
}  // namespace rooftile::worker
