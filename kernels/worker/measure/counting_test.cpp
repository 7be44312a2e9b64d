#include "kernels/worker/measure/counting.hpp"

#include <gmock/gmock.h>

namespace rooftile::worker {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

using State = Facility::State;

TEST(CountersRefused, EveryRefusalIsAStateWithASentenceAndAFix) {
  const struct {
    CUptiResult code;
    State state;
    const char* sentence;
    const char* fix;
  } rows[] = {
      {CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, State::refused, "not permitted for this user",
       "NVreg_RestrictProfilingToAdminUsers=0"},
      {CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES, State::refused, "virtual GPU", "vGPU"},
      {CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED, State::refused, "virtual GPU", "vGPU"},
      {CUPTI_ERROR_HARDWARE_BUSY, State::busy, "Another profiler", "dcgmi profile --pause"},
      {CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, State::busy, "Another profiler", "Nsight Compute"},
      {CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED, State::refused, "MIG", "whole GPU"},
      {CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED, State::refused, "WSL", "Windows driver"},
      {CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED, State::refused, "confidential", "ordinary mode"},
      {CUPTI_ERROR_UNKNOWN, State::failed, "failed", "without counters"},
      {CUPTI_ERROR_INVALID_PARAMETER, State::failed, "failed", "without counters"},
  };
  for (const auto& row : rows) {
    const Facility facility = counters_refused(row.code, "cuptiSomething failed");
    EXPECT_EQ(facility.name, "counters") << row.code;
    EXPECT_EQ(facility.state, row.state) << row.code;
    EXPECT_THAT(facility.sentence, HasSubstr(row.sentence)) << row.code;
    EXPECT_THAT(facility.sentence, EndsWith(".")) << row.code;
    EXPECT_THAT(facility.fix, HasSubstr(row.fix)) << row.code;
    EXPECT_THAT(facility.fix, EndsWith(".")) << row.code;
    EXPECT_EQ(facility.detail, "cuptiSomething failed") << row.code;
  }
}

}  // namespace
}  // namespace rooftile::worker
