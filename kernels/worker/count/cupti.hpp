// CUPTI's range profiler and profiler host, its SASS metrics and PC sampling, loaded at run time.
#pragma once

#include <cupti_pcsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>
#include <cupti_version.h>

#include <optional>
#include <source_location>
#include <string>

#include "analysis/text/error.hpp"

namespace rooftile::worker {

struct Cupti {
#define ROOFTILE_CUPTI_FUNCTIONS(F)                \
  F(cuptiGetVersion);                              \
  F(cuptiGetResultString);                         \
  F(cuptiProfilerInitialize);                      \
  F(cuptiDeviceGetChipName);                       \
  F(cuptiProfilerHostInitialize);                  \
  F(cuptiProfilerHostDeinitialize);                \
  F(cuptiProfilerHostGetSupportedChips);           \
  F(cuptiProfilerHostGetMetricProperties);         \
  F(cuptiProfilerHostConfigAddMetrics);            \
  F(cuptiProfilerHostGetConfigImageSize);          \
  F(cuptiProfilerHostGetConfigImage);              \
  F(cuptiProfilerHostGetNumOfPasses);              \
  F(cuptiProfilerHostEvaluateToGpuValues);         \
  F(cuptiRangeProfilerEnable);                     \
  F(cuptiRangeProfilerDisable);                    \
  F(cuptiRangeProfilerSetConfig);                  \
  F(cuptiRangeProfilerStart);                      \
  F(cuptiRangeProfilerStop);                       \
  F(cuptiRangeProfilerPushRange);                  \
  F(cuptiRangeProfilerPopRange);                   \
  F(cuptiRangeProfilerDecodeData);                 \
  F(cuptiRangeProfilerGetCounterDataSize);         \
  F(cuptiRangeProfilerCounterDataImageInitialize); \
  F(cuptiSassMetricsGetProperties);                \
  F(cuptiSassMetricsSetConfig);                    \
  F(cuptiSassMetricsEnable);                       \
  F(cuptiSassMetricsDisable);                      \
  F(cuptiSassMetricsGetDataProperties);            \
  F(cuptiSassMetricsFlushData);                    \
  F(cuptiPCSamplingEnable);                        \
  F(cuptiPCSamplingDisable);                       \
  F(cuptiPCSamplingGetNumStallReasons);            \
  F(cuptiPCSamplingGetStallReasons);               \
  F(cuptiPCSamplingSetConfigurationAttribute);     \
  F(cuptiPCSamplingStart);                         \
  F(cuptiPCSamplingStop);                          \
  F(cuptiPCSamplingGetData);                       \
  F(cuptiGetSassToSourceCorrelation);              \
  F(cuptiGetCubinCrc)
#define ROOFTILE_MEMBER(name) decltype(&::name) name = nullptr
  ROOFTILE_CUPTI_FUNCTIONS(ROOFTILE_MEMBER);
#undef ROOFTILE_MEMBER
  std::string file;
  std::string version;  // CUPTI's API version: "130000"

  // Throws CuptiError with the call, CUPTI's word for it and the place, unless the result is a success.
  void check(CUptiResult result, const char* call,
             std::source_location where = std::source_location::current()) const;
};

// own: the CUPTI of CUDA's toolkit. programs: preferably the CUPTI that the program around us has loaded.
enum class CuptiChoice { own, programs };
// Empty when there is no CUPTI; `tried` then says where it was looked for. driver: the CUDA version that it
// serves, a CUPTI of which is taken before a newer one, which would refuse it; empty: not known.
std::optional<Cupti> load_cupti(std::string* tried = nullptr, const std::string& driver = {},
                                CuptiChoice choice = CuptiChoice::own);

class CuptiError : public Error {
 public:
  CuptiError(CUptiResult code, const std::string& sentence) : Error(sentence), code_(code) {}
  CUptiResult code() const { return code_; }

 private:
  CUptiResult code_;
};

// A parameter structure as CUPTI wants it: zero, but for its size.
template <class Params>
Params sized(std::size_t size) {
  Params params{};
  params.structSize = size;
  return params;
}

}  // namespace rooftile::worker
