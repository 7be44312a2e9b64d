// CUPTI's callbacks and activities, which tell of the launches of a program. Loaded at run time.
#pragma once

#include <cupti_activity.h>
#include <cupti_callbacks.h>
#include <cupti_driver_cbid.h>

#include <optional>
#include <string>
#include <string_view>

#include "analysis/model/model.hpp"
#include "kernels/inject/launch_log.hpp"
#include "kernels/worker/count/cupti.hpp"

namespace rooftile::inject {

struct Tracing {
#define ROOFTILE_TRACING_FUNCTIONS(F) \
  F(cuptiSubscribe);                  \
  F(cuptiUnsubscribe);                \
  F(cuptiEnableCallback);             \
  F(cuptiActivityRegisterCallbacks);  \
  F(cuptiActivityEnable);             \
  F(cuptiActivityDisable);            \
  F(cuptiActivityFlushAll);           \
  F(cuptiActivityFlushPeriod);        \
  F(cuptiGetTimestamp);               \
  F(cuptiActivityGetNextRecord)
#define ROOFTILE_MEMBER(name) decltype(&::name) name = nullptr
  ROOFTILE_TRACING_FUNCTIONS(ROOFTILE_MEMBER);
#undef ROOFTILE_MEMBER
};

// Loads them from the library of `cupti`. Throws Error if a function is missing there.
Tracing load_tracing(const worker::Cupti& cupti);

// The calls of the driver that a callback is wanted for.
enum class Call { launch, graph_launch, graph_destroy, begin_capture, end_capture, code_change };
std::optional<Call> call_of(CUpti_CallbackId id);
const std::vector<CUpti_CallbackId>& calls_of_interest();

// The launch that a call of kind `Call::launch` asks for. device: of its context.
LaunchKey key_of(CUpti_CallbackId id, const CUpti_CallbackData& call, int device);

// The graph that a call of kind `Call::graph_launch` or `Call::graph_destroy` is about.
CUgraphExec graph_of(const CUpti_CallbackData& call);

// The rest that the call says, as the program handed it over.
struct LaunchCall {
  CUfunction function = nullptr;  // or a CUkernel
  void** parameters = nullptr;    // null where they are packed
  std::string_view packed;
  Dim3 cluster;
  bool cooperative = false;
  std::optional<int> carveout_percent;
};
LaunchCall launch_call_of(CUpti_CallbackId id, const CUpti_CallbackData& call);

// The trace's record of a kernel that has run.
struct KernelTrace {
  LaunchKey key;
  std::uint32_t correlation = 0;  // that of the call
  std::uint64_t end = 0;          // [ns]
  TracedLaunch launch;
};
KernelTrace trace_of(const CUpti_ActivityKernel9& record);

}  // namespace rooftile::inject
