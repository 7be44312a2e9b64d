// For tests in the process itself: the fake CUPTI, with launches whose instructions and counters a test states.
#pragma once

#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "kernels/worker/count/cupti.hpp"
#include "kernels/worker/fakes/fake_device.hpp"

namespace rooftile::worker {

inline constexpr std::uint64_t fake_cubin = 7, other_cubin = 8;

// An instruction as CUPTI tells of it; its line is a sixteenth of its offset.
struct FakeInstruction {
  std::uint64_t offset;
  std::vector<std::uint64_t> values;  // samples by reason; or metrics by id
  std::uint64_t cubin = fake_cubin;
};

// A C function carries no state of its own.
struct FakeCounters {
  std::vector<FakeInstruction> sampled, instrumented;
  std::size_t sampled_at_once = 100, dropped = 0;
  std::vector<std::string> reasons = {"smsp__pcsamp_warps_issue_stalled_wait",
                                      "smsp__pcsamp_warps_issue_stalled_wait_not_issued",
                                      "smsp__pcsamp_warps_issue_stalled_barrier"};
  std::map<std::string, double> values;  // of metrics; the others are 0
  std::vector<std::string> unknown;      // metrics that the chip has not
  int passes = 1;                        // that a replay takes
  std::vector<std::string> calls;        // those that matter, in order
  int period = 0;
  std::size_t taken = 0, made = 0;  // samples given; passes stopped
};
inline FakeCounters& fake_counters() {
  static FakeCounters all;
  return all;
}

inline void fake_note(const std::string& call) {
  fake_counters().calls.push_back(call);
}

inline CUptiResult fake_number_of_reasons(CUpti_PCSamplingGetNumStallReasonsParams* params) {
  *params->numStallReasons = fake_counters().reasons.size();
  return CUPTI_SUCCESS;
}
inline CUptiResult fake_reasons(CUpti_PCSamplingGetStallReasonsParams* params) {
  for (std::size_t i = 0; i < params->numStallReasons; ++i) {
    params->stallReasonIndex[i] = static_cast<std::uint32_t>(10 + i);
    std::strcpy(params->stallReasons[i], fake_counters().reasons[i].c_str());
  }
  return CUPTI_SUCCESS;
}
inline CUptiResult fake_samples(CUpti_PCSamplingGetDataParams* params) {
  FakeCounters& fake = fake_counters();
  auto* data = static_cast<CUpti_PCSamplingData*>(params->pcSamplingData);
  static char name[] = "mine";
  const std::size_t count = std::min(fake.sampled_at_once, fake.sampled.size() - fake.taken);
  for (std::size_t i = 0; i < count; ++i) {
    const FakeInstruction& from = fake.sampled[fake.taken + i];
    CUpti_PCSamplingPCData& to = data->pPcData[i];
    to.cubinCrc = from.cubin;
    to.pcOffset = from.offset;
    to.functionName = name;
    to.stallReasonCount = from.values.size();
    for (std::size_t j = 0; j < from.values.size(); ++j) {
      to.stallReason[j] = {static_cast<std::uint32_t>(10 + j), static_cast<std::uint32_t>(from.values[j])};
    }
  }
  fake.taken += count;
  data->totalNumPcs = count;
  data->remainingNumPcs = fake.sampled.size() - fake.taken;
  data->droppedSamples = fake.dropped;
  return CUPTI_SUCCESS;
}
inline CUptiResult fake_stop_sampling(CUpti_PCSamplingDisableParams*) {
  fake_note("sampling disabled");
  return CUPTI_SUCCESS;
}
inline CUptiResult fake_period(CUpti_PCSamplingConfigurationInfoParams* params) {
  for (std::size_t i = 0; i < params->numAttributes; ++i) {
    const auto& info = params->pPCSamplingConfigurationInfo[i];
    if (info.attributeType == CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD) {
      fake_counters().period = static_cast<int>(info.attributeData.samplingPeriodData.samplingPeriod);
    }
  }
  return CUPTI_SUCCESS;
}

// Ids count from 1 in the order in which metrics are asked for.
inline CUptiResult fake_metric(CUpti_SassMetrics_GetProperties_Params* params) {
  FakeCounters& fake = fake_counters();
  if (std::ranges::find(fake.unknown, params->pMetricName) != fake.unknown.end()) {
    return CUPTI_ERROR_INVALID_METRIC_NAME;
  }
  params->metric.metricId = ++fake.made;
  return CUPTI_SUCCESS;
}
inline CUptiResult fake_configured(CUpti_SassMetricsSetConfig_Params*) {
  fake_note("configured");
  return CUPTI_SUCCESS;
}
inline CUptiResult fake_instrumented_size(CUpti_SassMetricsGetDataProperties_Params* params) {
  params->numOfPatchedInstructionRecords = fake_counters().instrumented.size();
  params->numOfInstances = 2;
  return CUPTI_SUCCESS;
}
// The second instance of each metric has counted 1.
inline CUptiResult fake_instrumented(CUpti_SassMetricsFlushData_Params* params) {
  for (std::size_t i = 0; i < params->numOfPatchedInstructionRecords; ++i) {
    const FakeInstruction& from = fake_counters().instrumented[i];
    CUpti_SassMetrics_Data& to = params->pMetricsData[i];
    to.cubinCrc = static_cast<std::uint32_t>(from.cubin);
    to.functionName = "mine";
    to.pcOffset = static_cast<std::uint32_t>(from.offset);
    for (std::size_t j = 0; j < from.values.size(); ++j) {
      to.pInstanceValues[2 * j] = {j + 1, from.values[j]};
      to.pInstanceValues[2 * j + 1] = {j + 1, from.values[j] > 0 ? 1u : 0u};
    }
  }
  return CUPTI_SUCCESS;
}
inline CUptiResult fake_disabled(CUpti_SassMetricsDisable_Params*) {
  fake_note("metrics disabled");
  return CUPTI_SUCCESS;
}
inline CUptiResult fake_crc(CUpti_GetCubinCrcParams* params) {
  params->cubinCrc = fake_cubin;
  return CUPTI_SUCCESS;
}
inline CUptiResult fake_line(CUpti_GetSassToSourceCorrelationParams* params) {
  params->fileName = strdup("mine.cu");
  params->dirName = strdup("/elsewhere");
  params->lineNumber = static_cast<std::uint32_t>(params->pcOffset / 16);
  return CUPTI_SUCCESS;
}

inline CUptiResult fake_enabled(CUpti_RangeProfiler_Enable_Params* params) {
  fake_note("enabled");
  params->pRangeProfilerObject = reinterpret_cast<CUpti_RangeProfiler_Object*>(1);
  return CUPTI_SUCCESS;
}
inline CUptiResult fake_released(CUpti_RangeProfiler_Disable_Params*) {
  fake_note("released");
  return CUPTI_SUCCESS;
}
inline CUptiResult fake_pushed(CUpti_RangeProfiler_PushRange_Params* params) {
  fake_note(std::string("range ") + params->pRangeName);
  return CUPTI_SUCCESS;
}
inline CUptiResult fake_stopped(CUpti_RangeProfiler_Stop_Params* params) {
  FakeCounters& fake = fake_counters();
  params->isAllPassSubmitted =
      static_cast<std::uint8_t>(++fake.made % static_cast<std::size_t>(fake.passes) == 0);
  fake_note("stopped");
  return CUPTI_SUCCESS;
}
// A range with a higher number has so many more.
inline CUptiResult fake_values(CUpti_Profiler_Host_EvaluateToGpuValues_Params* params) {
  for (std::size_t i = 0; i < params->numMetrics; ++i) {
    const auto known = fake_counters().values.find(params->ppMetricNames[i]);
    params->pMetricValues[i] =
        known == fake_counters().values.end() ? 0 : known->second + static_cast<double>(params->rangeIndex);
  }
  return CUPTI_SUCCESS;
}

// fails() of FakeDeviceTest is of the driver; refuses() is of CUPTI.
class FakeCuptiTest : public FakeDeviceTest {
 protected:
  FakeCuptiTest() {
    fake_counters() = {};
    setenv("CUDA_HOME", FAKES "/cuda", 1);
    cupti_ = load_cupti().value();
    unsetenv("CUDA_HOME");
  }
  ~FakeCuptiTest() override { unsetenv("FAKE_CUPTI"); }

  static void refuses(const char* call, CUptiResult error) {
    setenv("FAKE_CUPTI", (std::string(call) + "=" + std::to_string(error)).c_str(), 1);
  }
  void sample(std::vector<FakeInstruction> instructions) {
    fake_counters().sampled = std::move(instructions);
    cupti_.cuptiPCSamplingGetNumStallReasons = fake_number_of_reasons;
    cupti_.cuptiPCSamplingGetStallReasons = fake_reasons;
    cupti_.cuptiPCSamplingGetData = fake_samples;
    cupti_.cuptiPCSamplingDisable = fake_stop_sampling;
  }
  void instrument(std::vector<FakeInstruction> instructions) {
    fake_counters().instrumented = std::move(instructions);
    cupti_.cuptiSassMetricsGetProperties = fake_metric;
    cupti_.cuptiSassMetricsGetDataProperties = fake_instrumented_size;
    cupti_.cuptiSassMetricsFlushData = fake_instrumented;
    cupti_.cuptiSassMetricsDisable = fake_disabled;
  }
  void know_cubins_and_lines() {
    cupti_.cuptiGetCubinCrc = fake_crc;
    cupti_.cuptiGetSassToSourceCorrelation = fake_line;
  }
  void note_the_session() {
    cupti_.cuptiRangeProfilerEnable = fake_enabled;
    cupti_.cuptiRangeProfilerDisable = fake_released;
    cupti_.cuptiRangeProfilerPushRange = fake_pushed;
    cupti_.cuptiRangeProfilerStop = fake_stopped;
    cupti_.cuptiProfilerHostEvaluateToGpuValues = fake_values;
  }

  Cupti cupti_;
  const Device device_{driver_, 0};
};

}  // namespace rooftile::worker
