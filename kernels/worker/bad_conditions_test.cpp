// The real program beside a driver and a CUPTI that do not work as they should: each condition is named by its
// cause and its cure, and what can be measured without the missing part still is.
#include <cupti_result.h>
#include <gmock/gmock.h>

#include <map>
#include <optional>

#include "kernels/worker/test_worker.hpp"

namespace rooftile::worker {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;

using State = Facility::State;
using Environment = std::map<std::string, std::string>;

struct Condition {
  const char* name;
  Environment environment;
  const char* facility;
  State state;
  const char* sentence;
  const char* fix;
};
void PrintTo(const Condition& condition, std::ostream* out) {
  *out << condition.name;
}

class BadCondition : public testing::TestWithParam<Condition> {
 protected:
  BadCondition() {
    setenv("LD_LIBRARY_PATH", FAKES "/driver", 1);
    setenv("CUDA_HOME", FAKES "/cuda", 1);
    for (const auto& [name, value] : GetParam().environment) {
      setenv(name.c_str(), value.c_str(), 1);
    }
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    cubins_.emplace(folder_);
  }
  ~BadCondition() override {
    for (const char* name : {"LD_LIBRARY_PATH", "CUDA_HOME", "FAKE_DRIVER", "FAKE_DRIVER_VERSION", "FAKE_GPUS",
                             "FAKE_CUPTI", "FAKE_CHIP"}) {
      unsetenv(name);
    }
    cubins_.reset();
    fs::remove_all(folder_);
  }

  void expect_named(WorkerProgram& worker) const {
    const auto facility = worker.facility(GetParam().facility);
    ASSERT_TRUE(facility);
    EXPECT_EQ(facility->state, GetParam().state);
    EXPECT_THAT(facility->sentence, HasSubstr(GetParam().sentence));
    EXPECT_THAT(facility->fix, HasSubstr(GetParam().fix));
  }

  const fs::path folder_ = fs::path(testing::TempDir()) / ("rooftile_bad_" + std::string(GetParam().name));
  std::optional<SharedCubins> cubins_;
};

class NoDevice : public BadCondition {};
TEST_P(NoDevice, IsNamedAndKernelsStillCompile) {
  WorkerProgram worker(folder_);
  expect_named(worker);
  EXPECT_TRUE(worker.ask(CompileRequest{1, "sgemm_tiled", {}, {9, 0}}).compiled);
  const Point refused = worker.ask(MeasureRequest{2, "sgemm_tiled", {}, Caches::cold});
  EXPECT_THAT(refused.failure.value_or(""), HasSubstr(GetParam().sentence));
}
INSTANTIATE_TEST_SUITE_P(Bad, NoDevice,
                         testing::Values(Condition{"old_driver",
                                                   {{"LD_LIBRARY_PATH", FAKES "/old"}},
                                                   "driver",
                                                   State::failed,
                                                   "too old",
                                                   "Update the driver"},
                                         Condition{"no_gpu",
                                                   {{"FAKE_DRIVER", "cuInit=100"}},
                                                   "device",
                                                   State::failed,
                                                   "no GPU can be used",
                                                   "nvidia-smi"},
                                         Condition{"driver_behind_toolkit",
                                                   {{"FAKE_DRIVER_VERSION", "12040"}},
                                                   "compiler",
                                                   State::failed,
                                                   "is too new for this driver, which serves CUDA 12.4",
                                                   "Update the driver"}),
                         testing::PrintToStringParamName());

class SeveralGpus : public BadCondition {};
TEST_P(SeveralGpus, AreNamedWithTheWayToAnother) {
  WorkerProgram worker(folder_);
  expect_named(worker);
}
INSTANTIATE_TEST_SUITE_P(
    Bad, SeveralGpus,
    testing::Values(Condition{
        "two", {{"FAKE_GPUS", "2"}}, "device", State::ready, "GPU 0 of 2, --device chooses another", ""}),
    testing::PrintToStringParamName());

class NoCounters : public BadCondition {};
TEST_P(NoCounters, IsNamedAndLaunchesAreTimedMeanwhile) {
  WorkerProgram worker(folder_);
  expect_named(worker);
  const Point point = worker.ask(MeasureRequest{1, "sgemm_tiled", {{"N", 64}}, Caches::cold});
  EXPECT_EQ(point.failure, std::nullopt);
  EXPECT_EQ(point.evidence(), Evidence::timed);
  EXPECT_THAT(point.notes, Contains(HasSubstr(worker.facility("counters")->sentence)));
}

// FAKE_CUPTI=CALL=CODE
Environment refuses(const std::string& call, CUptiResult code) {
  return {{"FAKE_CUPTI", call + "=" + std::to_string(code)}};
}
INSTANTIATE_TEST_SUITE_P(
    Bad, NoCounters,
    testing::Values(
        Condition{"old_cupti",
                  {{"CUDA_HOME", FAKES "/old"}},
                  "profiler",
                  State::failed,
                  "CUPTI was found but cannot be used",
                  "12.6"},
        Condition{"unknown_chip",
                  {{"FAKE_CHIP", "GX999"}},
                  "counters",
                  State::missing,
                  "does not know the chip GX999",
                  "newer CUDA toolkit"},
        Condition{"not_permitted", refuses("cuptiRangeProfilerStart", CUPTI_ERROR_INSUFFICIENT_PRIVILEGES),
                  "counters", State::refused, "not permitted", "NVreg"},
        Condition{"profiler_at_work", refuses("cuptiRangeProfilerStart", CUPTI_ERROR_HARDWARE_BUSY), "counters",
                  State::busy, "Another profiler", "Nsight"},
        Condition{"under_ncu",
                  refuses("cuptiProfilerInitialize", CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED),
                  "counters", State::busy, "Another profiler", "Nsight"},
        Condition{"mig", refuses("cuptiRangeProfilerEnable", CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED), "counters",
                  State::refused, "MIG", "whole GPU"},
        Condition{"wsl", refuses("cuptiProfilerInitialize", CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED), "counters",
                  State::refused, "WSL", "Windows driver"},
        Condition{"lying_counters", {}, "counters", State::failed, "count wrongly", "Another driver"}),
    testing::PrintToStringParamName());

}  // namespace
}  // namespace rooftile::worker
