// CUPTI without counters, for tests: every call succeeds, unless the environment names a call and the error
// that it gives: FAKE_CUPTI=cuptiRangeProfilerStart=35, or =35,2 for the first two calls. FAKE_CHIP is the chip
// it finds, FAKE_METRIC what every metric is, else 0, and FAKE_METRICS gives some another value:
// "lts__t_bytes.sum=nan,...". Launches are those that fake_launch() tells of; FAKE_LAUNCHES names a file that
// notes how each of them ran.
#include <cupti_activity.h>
#include <cupti_callbacks.h>
#include <cupti_driver_cbid.h>
#include <cupti_nvtx_cbid.h>
#include <cupti_pcsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>
#include <cupti_version.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "kernels/worker/fakes/fake_range_profiler.hpp"

namespace {

rooftile::worker::FakeRangeProfiler ranges;

CUptiResult answer(const char* call) {
  const char* rule = std::getenv("FAKE_CUPTI");
  const std::string start = std::string(call) + "=";
  if (rule == nullptr || std::strncmp(rule, start.c_str(), start.size()) != 0) {
    return CUPTI_SUCCESS;
  }
  static std::atomic<int> failed = 0;
  const char* const times = std::strchr(rule, ',');
  return times != nullptr && failed++ >= std::atoi(times + 1)
             ? CUPTI_SUCCESS
             : static_cast<CUptiResult>(std::atoi(rule + start.size()));
}

double every_metric() {
  const char* told = std::getenv("FAKE_METRIC");
  return told != nullptr ? std::strtod(told, nullptr) : 0;
}

double metric(const std::string& name) {
  const char* told = std::getenv("FAKE_METRICS");
  const std::string all = told != nullptr ? "," + std::string(told) : "";
  const auto found = all.find("," + name + "=");
  return found == std::string::npos ? every_metric() : std::strtod(&all[found + name.size() + 2], nullptr);
}

// The subscriber that is told of launches.
struct Subscriber {
  CUpti_CallbackFunc on_call = nullptr;
  void* data = nullptr;
  std::set<CUpti_CallbackId> calls, ranges, resources;
  CUpti_BuffersCallbackRequestFunc on_request = nullptr;
  CUpti_BuffersCallbackCompleteFunc on_trace = nullptr;
};
Subscriber subscriber;
std::mutex trace_mutex;
std::vector<CUpti_ActivityKernel9> trace;
std::atomic<bool> is_traced = false;
std::atomic<std::uint32_t> correlation = 0;
bool nvtx_calls_cupti = false;

// The correlation of the call. run: what it does.
template <class Run>
std::uint32_t call(CUpti_CallbackId id, const char* symbol, const void* arguments, Run run) {
  CUresult success = CUDA_SUCCESS;
  CUpti_CallbackData data{};
  data.context = reinterpret_cast<CUcontext>(1);
  data.correlationId = ++correlation;
  data.symbolName = symbol;
  data.functionParams = arguments;
  data.functionReturnValue = &success;
  const auto tell = [&](CUpti_ApiCallbackSite site) {
    data.callbackSite = site;
    if (subscriber.on_call != nullptr && subscriber.calls.count(id) > 0) {
      subscriber.on_call(subscriber.data, CUPTI_CB_DOMAIN_DRIVER_API, id, &data);
    }
  };
  tell(CUPTI_API_ENTER);
  run();
  tell(CUPTI_API_EXIT);
  return data.correlationId;
}

// A counted kernel takes so long that launches of other threads would come into its session, if they could.
void run_kernel(const char* symbol, const std::string& way) {
  if (!way.empty()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (const char* file = std::getenv("FAKE_LAUNCHES")) {
    std::ofstream(file, std::ios::app) << symbol << way << '\n';
  }
}

}  // namespace

#define SUCCEEDS(name, Params) \
  CUptiResult name(Params*) {  \
    return answer(#name);      \
  }
// The result of the call.
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
GIVES(cuptiProfilerHostInitialize, CUpti_Profiler_Host_Initialize_Params, ranges.new_config();
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
GIVES(cuptiProfilerHostConfigAddMetrics, CUpti_Profiler_Host_ConfigAddMetrics_Params,
      ranges.add_metrics(params->ppMetricNames, params->numMetrics))
GIVES(cuptiProfilerHostGetConfigImageSize, CUpti_Profiler_Host_GetConfigImageSize_Params,
      params->configImageSize = 16)
SUCCEEDS(cuptiProfilerHostGetConfigImage, CUpti_Profiler_Host_GetConfigImage_Params)
GIVES(cuptiProfilerHostGetNumOfPasses, CUpti_Profiler_Host_GetNumOfPasses_Params,
      params->numOfPasses = static_cast<std::size_t>(ranges.passes()))
CUptiResult cuptiProfilerHostEvaluateToGpuValues(CUpti_Profiler_Host_EvaluateToGpuValues_Params* params) {
  for (std::size_t i = 0; i < params->numMetrics; ++i) {
    const std::string name = params->ppMetricNames[i];
    const bool known = ranges.holds(params->pCounterDataImage, params->rangeIndex, name);
    params->pMetricValues[i] = known ? metric(name) : std::nan("");
  }
  return answer("cuptiProfilerHostEvaluateToGpuValues");
}
GIVES(cuptiRangeProfilerEnable, CUpti_RangeProfiler_Enable_Params,
      params->pRangeProfilerObject = reinterpret_cast<CUpti_RangeProfiler_Object*>(1))
CUptiResult cuptiRangeProfilerDisable(CUpti_RangeProfiler_Disable_Params*) {
  return CUPTI_SUCCESS;
}
GIVES(cuptiRangeProfilerSetConfig, CUpti_RangeProfiler_SetConfig_Params,
      ranges.configure(params->pCounterDataImage, params->replayMode == CUPTI_KernelReplay))
GIVES(cuptiRangeProfilerStart, CUpti_RangeProfiler_Start_Params, (void)params; ranges.start())
GIVES(cuptiRangeProfilerStop, CUpti_RangeProfiler_Stop_Params, params->isAllPassSubmitted = ranges.stop();
      params->passIndex = static_cast<std::size_t>(ranges.pass()))
CUptiResult cuptiRangeProfilerPushRange(CUpti_RangeProfiler_PushRange_Params* params) {
  return ranges.push(params->pRangeName) ? answer("cuptiRangeProfilerPushRange")
                                         : CUPTI_ERROR_INVALID_OPERATION;
}
GIVES(cuptiRangeProfilerPopRange, CUpti_RangeProfiler_PopRange_Params, (void)params; ranges.pop())
GIVES(cuptiRangeProfilerDecodeData, CUpti_RangeProfiler_DecodeData_Params, (void)params; ranges.decode())
GIVES(cuptiRangeProfilerGetCounterDataSize, CUpti_RangeProfiler_GetCounterDataSize_Params,
      params->counterDataSize = 16)
GIVES(cuptiRangeProfilerCounterDataImageInitialize, CUpti_RangeProfiler_CounterDataImage_Initialize_Params,
      ranges.clear(params->pCounterData))
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

CUptiResult cuptiSubscribe(CUpti_SubscriberHandle* handle, CUpti_CallbackFunc on_call, void* data) {
  *handle = nullptr;
  subscriber.on_call = on_call;
  subscriber.data = data;
  return answer("cuptiSubscribe");
}
CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle) {
  subscriber.calls.clear();
  subscriber.ranges.clear();
  subscriber.resources.clear();
  return answer("cuptiUnsubscribe");
}
CUptiResult cuptiEnableCallback(std::uint32_t, CUpti_SubscriberHandle, CUpti_CallbackDomain domain,
                                CUpti_CallbackId id) {
  if (domain == CUPTI_CB_DOMAIN_DRIVER_API) {
    subscriber.calls.insert(id);
  } else if (domain == CUPTI_CB_DOMAIN_NVTX) {
    subscriber.ranges.insert(id);
  } else {
    subscriber.resources.insert(id);
  }
  return answer("cuptiEnableCallback");
}
CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc on_request,
                                           CUpti_BuffersCallbackCompleteFunc on_trace) {
  subscriber.on_request = on_request;
  subscriber.on_trace = on_trace;
  return answer("cuptiActivityRegisterCallbacks");
}
CUptiResult cuptiActivityEnable(CUpti_ActivityKind) {
  is_traced = true;
  return answer("cuptiActivityEnable");
}
CUptiResult cuptiActivityDisable(CUpti_ActivityKind) {
  is_traced = false;
  return answer("cuptiActivityDisable");
}
CUptiResult cuptiGetTimestamp(std::uint64_t* timestamp) {
  const char* told = std::getenv("FAKE_TIMESTAMP");
  *timestamp = told != nullptr ? std::strtoull(told, nullptr, 10) : 0;
  return answer("cuptiGetTimestamp");
}
CUptiResult cuptiActivityFlushPeriod(std::uint32_t) {
  return answer("cuptiActivityFlushPeriod");
}
CUptiResult cuptiActivityFlushAll(std::uint32_t) {
  const std::lock_guard lock(trace_mutex);
  if (subscriber.on_request != nullptr && !trace.empty()) {
    std::uint8_t* buffer = nullptr;
    std::size_t size = 0, most = 0;
    subscriber.on_request(&buffer, &size, &most);
    const std::size_t bytes = trace.size() * sizeof trace.front();
    std::memcpy(buffer, trace.data(), bytes);
    trace.clear();
    subscriber.on_trace(nullptr, 0, buffer, size, bytes);
  }
  return answer("cuptiActivityFlushAll");
}
CUptiResult cuptiActivityGetNextRecord(std::uint8_t* buffer, std::size_t size, CUpti_Activity** record) {
  auto* next = *record == nullptr ? buffer : reinterpret_cast<std::uint8_t*>(*record) + sizeof trace.front();
  if (next >= buffer + size) {
    return CUPTI_ERROR_MAX_LIMIT_REACHED;
  }
  *record = reinterpret_cast<CUpti_Activity*>(next);
  return CUPTI_SUCCESS;
}

// A program launches a kernel, by itself or as the only one of a graph.
void fake_launch(const char* symbol, unsigned grid, std::uint64_t nanoseconds, bool by_graph);
void fake_launch(const char* symbol, unsigned grid, std::uint64_t nanoseconds, bool by_graph) {
  const struct {
    void* function;
    unsigned grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes;
    void *stream, **parameters, **extra;
  } arguments = {by_graph ? reinterpret_cast<void*>(std::hash<std::string>()(symbol)) : nullptr,
                 grid,
                 1,
                 1,
                 256,
                 1,
                 1,
                 0,
                 nullptr,
                 nullptr,
                 nullptr};
  bool traced = false;
  const std::uint32_t made =
      call(by_graph ? CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch : CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, symbol,
           &arguments, [&] {
             traced = is_traced;
             run_kernel(symbol, ranges.launch());
           });
  CUpti_ActivityKernel9 kernel{};
  kernel.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
  kernel.name = symbol;
  kernel.gridX = static_cast<int>(grid);
  kernel.gridY = kernel.gridZ = 1;
  kernel.blockX = 256;
  kernel.blockY = kernel.blockZ = 1;
  kernel.registersPerThread = 32;
  kernel.correlationId = made;
  kernel.graphId = by_graph ? 1 : 0;
  kernel.start = 1000;
  kernel.end = kernel.start + nanoseconds;
  const std::lock_guard lock(trace_mutex);
  if (traced && !subscriber.calls.empty()) {
    trace.push_back(kernel);
  }
}
// The driver has loaded the code of a module.
void fake_module(const char* cubin, std::size_t bytes);
void fake_module(const char* cubin, std::size_t bytes) {
  CUpti_ModuleResourceData module{1, bytes, cubin};
  CUpti_ResourceData resource{};
  resource.resourceDescriptor = &module;
  if (subscriber.resources.count(CUPTI_CBID_RESOURCE_MODULE_LOADED) > 0) {
    subscriber.on_call(subscriber.data, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED, &resource);
  }
}
// A program launches a kernel of one block of 32 threads with these parameters. run: what it does with them.
// extra: null, else what the program hands over in place of the parameters.
void fake_launch_with(const char* symbol, void** parameters, void** extra, void (*run)(void** parameters));
void fake_launch_with(const char* symbol, void** parameters, void** extra, void (*run)(void** parameters)) {
  const struct {
    void* function;
    unsigned grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes;
    void *stream, **parameters, **extra;
  } arguments = {nullptr, 1, 1, 1, 32, 1, 1, 0, nullptr, extra != nullptr ? nullptr : parameters, extra};
  call(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, symbol, &arguments, [&] { run(parameters); });
}
int InitializeInjectionNvtx2(void*);
int InitializeInjectionNvtx2(void*) {
  nvtx_calls_cupti = true;
  return 1;
}
// A range of this name begins, or where it is null the last one ends.
void fake_range(const char* name);
void fake_range(const char* name) {
  const auto id = name != nullptr ? CUPTI_CBID_NVTX_nvtxRangePushA : CUPTI_CBID_NVTX_nvtxRangePop;
  if (nvtx_calls_cupti && subscriber.ranges.count(id) > 0) {
    const CUpti_NvtxData data{"", static_cast<const void*>(&name), nullptr};
    subscriber.on_call(subscriber.data, CUPTI_CB_DOMAIN_NVTX, id, &data);
  }
}
void fake_unload();
void fake_unload() {
  call(CUPTI_DRIVER_TRACE_CBID_cuModuleUnload, nullptr, nullptr, [] {});
}
// A stream is captured into a graph from here on, or no longer.
void fake_capture(bool begins);
void fake_capture(bool begins) {
  call(begins ? CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2 : CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture,
       nullptr, nullptr, [] {});
}
}
