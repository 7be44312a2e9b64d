// CUPTI without counters, for tests: every call succeeds and every metric is 0, unless the environment names a
// call and the error that it gives: FAKE_CUPTI=cuptiRangeProfilerStart=35. FAKE_CHIP is the chip it finds.
#include <cupti_pcsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>
#include <cupti_version.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

CUptiResult answer(const char* call) {
  const char* rule = std::getenv("FAKE_CUPTI");
  const std::string start = std::string(call) + "=";
  return rule && std::strncmp(rule, start.c_str(), start.size()) == 0
             ? static_cast<CUptiResult>(std::atoi(rule + start.size()))
             : CUPTI_SUCCESS;
}

}  // namespace

#define SUCCEEDS(name, Params) \
  CUptiResult name(Params*) {  \
    return answer(#name);      \
  }
// And what the call gives.
#define GIVES(name, Params, gift)    \
  CUptiResult name(Params* params) { \
    gift;                            \
    return answer(#name);            \
  }

extern "C" {
CUptiResult cuptiGetVersion(std::uint32_t* version) {
  *version = CUPTI_API_VERSION;
  return answer("cuptiGetVersion");
}
CUptiResult cuptiGetResultString(CUptiResult, const char** text) {
  *text = "CUPTI_ERROR_AS_THE_TEST_WANTS_IT";
  return CUPTI_SUCCESS;
}
SUCCEEDS(cuptiProfilerInitialize, CUpti_Profiler_Initialize_Params)
GIVES(cuptiDeviceGetChipName, CUpti_Device_GetChipName_Params,
      params->pChipName = std::getenv("FAKE_CHIP") ? std::getenv("FAKE_CHIP") : "GH100")
GIVES(cuptiProfilerHostInitialize, CUpti_Profiler_Host_Initialize_Params,
      params->pHostObject = reinterpret_cast<CUpti_Profiler_Host_Object*>(1))
CUptiResult cuptiProfilerHostDeinitialize(CUpti_Profiler_Host_Deinitialize_Params*) {
  return CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostGetSupportedChips(CUpti_Profiler_Host_GetSupportedChips_Params* params) {
  static const char* const chips[] = {"GH100"};
  params->ppChipNames = chips;
  params->numChips = 1;
  return answer("cuptiProfilerHostGetSupportedChips");
}
SUCCEEDS(cuptiProfilerHostGetMetricProperties, CUpti_Profiler_Host_GetMetricProperties_Params)
SUCCEEDS(cuptiProfilerHostConfigAddMetrics, CUpti_Profiler_Host_ConfigAddMetrics_Params)
GIVES(cuptiProfilerHostGetConfigImageSize, CUpti_Profiler_Host_GetConfigImageSize_Params,
      params->configImageSize = 16)
SUCCEEDS(cuptiProfilerHostGetConfigImage, CUpti_Profiler_Host_GetConfigImage_Params)
GIVES(cuptiProfilerHostGetNumOfPasses, CUpti_Profiler_Host_GetNumOfPasses_Params, params->numOfPasses = 3)
GIVES(cuptiProfilerHostEvaluateToGpuValues, CUpti_Profiler_Host_EvaluateToGpuValues_Params,
      std::memset(params->pMetricValues, 0, params->numMetrics * sizeof(double)))
GIVES(cuptiRangeProfilerEnable, CUpti_RangeProfiler_Enable_Params,
      params->pRangeProfilerObject = reinterpret_cast<CUpti_RangeProfiler_Object*>(1))
CUptiResult cuptiRangeProfilerDisable(CUpti_RangeProfiler_Disable_Params*) {
  return CUPTI_SUCCESS;
}
SUCCEEDS(cuptiRangeProfilerSetConfig, CUpti_RangeProfiler_SetConfig_Params)
SUCCEEDS(cuptiRangeProfilerStart, CUpti_RangeProfiler_Start_Params)
GIVES(cuptiRangeProfilerStop, CUpti_RangeProfiler_Stop_Params, params->isAllPassSubmitted = 1)
SUCCEEDS(cuptiRangeProfilerPushRange, CUpti_RangeProfiler_PushRange_Params)
SUCCEEDS(cuptiRangeProfilerPopRange, CUpti_RangeProfiler_PopRange_Params)
SUCCEEDS(cuptiRangeProfilerDecodeData, CUpti_RangeProfiler_DecodeData_Params)
GIVES(cuptiRangeProfilerGetCounterDataSize, CUpti_RangeProfiler_GetCounterDataSize_Params,
      params->counterDataSize = 16)
SUCCEEDS(cuptiRangeProfilerCounterDataImageInitialize, CUpti_RangeProfiler_CounterDataImage_Initialize_Params)
SUCCEEDS(cuptiSassMetricsGetProperties, CUpti_SassMetrics_GetProperties_Params)
SUCCEEDS(cuptiSassMetricsSetConfig, CUpti_SassMetricsSetConfig_Params)
SUCCEEDS(cuptiSassMetricsEnable, CUpti_SassMetricsEnable_Params)
SUCCEEDS(cuptiSassMetricsDisable, CUpti_SassMetricsDisable_Params)
SUCCEEDS(cuptiSassMetricsGetDataProperties, CUpti_SassMetricsGetDataProperties_Params)
SUCCEEDS(cuptiSassMetricsFlushData, CUpti_SassMetricsFlushData_Params)
SUCCEEDS(cuptiPCSamplingEnable, CUpti_PCSamplingEnableParams)
SUCCEEDS(cuptiPCSamplingDisable, CUpti_PCSamplingDisableParams)
SUCCEEDS(cuptiPCSamplingGetNumStallReasons, CUpti_PCSamplingGetNumStallReasonsParams)
SUCCEEDS(cuptiPCSamplingGetStallReasons, CUpti_PCSamplingGetStallReasonsParams)
SUCCEEDS(cuptiPCSamplingSetConfigurationAttribute, CUpti_PCSamplingConfigurationInfoParams)
SUCCEEDS(cuptiPCSamplingStart, CUpti_PCSamplingStartParams)
SUCCEEDS(cuptiPCSamplingStop, CUpti_PCSamplingStopParams)
SUCCEEDS(cuptiPCSamplingGetData, CUpti_PCSamplingGetDataParams)
SUCCEEDS(cuptiGetSassToSourceCorrelation, CUpti_GetSassToSourceCorrelationParams)
SUCCEEDS(cuptiGetCubinCrc, CUpti_GetCubinCrcParams)
}
