#include "kernels/inject/tracing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/platform/platform.hpp"

namespace rooftile::inject {
namespace {

// The arguments of a call as generated_cuda_meta.h has them, as far as they are read here. That header needs
// types that cuda.h does not declare.
struct LaunchArguments {
  CUfunction function;
  unsigned grid_x, grid_y, grid_z, block_x, block_y, block_z, dynamic_shared_bytes;
  CUstream stream;
  void** parameters;
  void** extra;  // not of a cooperative launch
};
struct ExtendedLaunchArguments {
  const CUlaunchConfig* config;
  CUfunction function;
  void** parameters;
  void** extra;
};

struct CallRow {
  CUpti_CallbackId id;
  Call call;
  bool is_extended = false;  // its arguments are ExtendedLaunchArguments
};

constexpr CallRow rows[] = {
    {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, Call::launch},
    {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz, Call::launch},
    {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx, Call::launch, true},
    {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz, Call::launch, true},
    {CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel, Call::launch},
    {CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz, Call::launch},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch, Call::graph_launch},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz, Call::graph_launch},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphExecDestroy, Call::graph_destroy},
    {CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture, Call::begin_capture},
    {CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_ptsz, Call::begin_capture},
    {CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2, Call::begin_capture},
    {CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2_ptsz, Call::begin_capture},
    {CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph, Call::begin_capture},
    {CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph_ptsz, Call::begin_capture},
    {CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture, Call::end_capture},
    {CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture_ptsz, Call::end_capture},
    {CUPTI_DRIVER_TRACE_CBID_cuModuleLoad, Call::code_change},
    {CUPTI_DRIVER_TRACE_CBID_cuModuleLoadData, Call::code_change},
    {CUPTI_DRIVER_TRACE_CBID_cuModuleLoadDataEx, Call::code_change},
    {CUPTI_DRIVER_TRACE_CBID_cuModuleLoadFatBinary, Call::code_change},
    {CUPTI_DRIVER_TRACE_CBID_cuLibraryLoadData, Call::code_change},
    {CUPTI_DRIVER_TRACE_CBID_cuLibraryLoadFromFile, Call::code_change},
    {CUPTI_DRIVER_TRACE_CBID_cuModuleUnload, Call::code_change},
    {CUPTI_DRIVER_TRACE_CBID_cuLibraryUnload, Call::code_change},
};

const CallRow* row_of(CUpti_CallbackId id) {
  const auto* const found = std::ranges::find(rows, id, &CallRow::id);
  return found == std::end(rows) ? nullptr : found;
}

Dim3 sides(unsigned x, unsigned y, unsigned z) {
  return {static_cast<int>(x), static_cast<int>(y), static_cast<int>(z)};
}

// extra: names and values in turn; null: none.
std::string_view packed_parameters(void** extra) {
  const char* bytes = nullptr;
  std::size_t size = 0;
  for (; extra != nullptr && *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER) {
      bytes = static_cast<const char*>(extra[1]);
    } else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE) {
      size = *static_cast<const std::size_t*>(extra[1]);
    }
  }
  return {bytes, bytes != nullptr ? size : 0};
}

std::string text_of(const char* name) {
  return name != nullptr ? name : "a kernel without a name";
}

}  // namespace

Tracing load_tracing(const worker::Cupti& cupti) {
  Tracing tracing;
  const auto library = platform::DynamicLibrary::open({cupti.file});
#define ROOFTILE_LOAD(name)                                                                            \
  tracing.name = library ? reinterpret_cast<decltype(tracing.name)>(library->symbol(#name)) : nullptr; \
  if (tracing.name == nullptr) {                                                                       \
    throw Error(fmt::format("{} has no {}.", cupti.file, #name));                                      \
  }
  ROOFTILE_TRACING_FUNCTIONS(ROOFTILE_LOAD);
#undef ROOFTILE_LOAD
  return tracing;
}

std::optional<Call> call_of(CUpti_CallbackId id) {
  const CallRow* row = row_of(id);
  return row != nullptr ? std::optional(row->call) : std::nullopt;
}

const std::vector<CUpti_CallbackId>& calls_of_interest() {
  static const std::vector<CUpti_CallbackId> ids = [] {
    std::vector<CUpti_CallbackId> all;
    std::ranges::transform(rows, std::back_inserter(all), &CallRow::id);
    return all;
  }();
  return ids;
}

LaunchKey key_of(CUpti_CallbackId id, const CUpti_CallbackData& call, int device) {
  const CallRow* row = row_of(id);
  if (row != nullptr && row->is_extended) {
    const CUlaunchConfig& config = *static_cast<const ExtendedLaunchArguments*>(call.functionParams)->config;
    return {device, text_of(call.symbolName), sides(config.gridDimX, config.gridDimY, config.gridDimZ),
            sides(config.blockDimX, config.blockDimY, config.blockDimZ),
            static_cast<int>(config.sharedMemBytes)};
  }
  const auto& launch = *static_cast<const LaunchArguments*>(call.functionParams);
  return {device, text_of(call.symbolName), sides(launch.grid_x, launch.grid_y, launch.grid_z),
          sides(launch.block_x, launch.block_y, launch.block_z), static_cast<int>(launch.dynamic_shared_bytes)};
}

// It is the first argument of both.
CUgraphExec graph_of(const CUpti_CallbackData& call) {
  return *static_cast<const CUgraphExec*>(call.functionParams);
}

LaunchCall launch_call_of(CUpti_CallbackId id, const CUpti_CallbackData& call) {
  LaunchCall launch;
  const CallRow* row = row_of(id);
  if (row == nullptr || !row->is_extended) {
    const auto& arguments = *static_cast<const LaunchArguments*>(call.functionParams);
    launch.function = arguments.function;
    launch.parameters = arguments.parameters;
    launch.cooperative = id == CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel ||
                         id == CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz;
    launch.packed = launch.cooperative ? "" : packed_parameters(arguments.extra);
    return launch;
  }
  const auto& arguments = *static_cast<const ExtendedLaunchArguments*>(call.functionParams);
  launch.function = arguments.function;
  launch.parameters = arguments.parameters;
  launch.packed = packed_parameters(arguments.extra);
  for (unsigned i = 0; i < arguments.config->numAttrs; ++i) {
    const CUlaunchAttribute& attribute = arguments.config->attrs[i];
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
      launch.cluster =
          sides(attribute.value.clusterDim.x, attribute.value.clusterDim.y, attribute.value.clusterDim.z);
    } else if (attribute.id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) {
      launch.cooperative = attribute.value.cooperative != 0;
    } else if (attribute.id == CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT) {
      launch.carveout_percent = static_cast<int>(attribute.value.sharedMemCarveout);
    }
  }
  return launch;
}

KernelTrace trace_of(const CUpti_ActivityKernel9& record) {
  KernelTrace trace;
  const auto grid = Dim3{record.gridX, record.gridY, record.gridZ};
  const auto block = Dim3{record.blockX, record.blockY, record.blockZ};
  trace.key = {static_cast<int>(record.deviceId), text_of(record.name), grid, block,
               static_cast<int>(record.dynamicSharedMemory)};
  trace.correlation = record.correlationId;
  trace.end = record.end;
  TracedLaunch& launch = trace.launch;
  launch.start = record.start;
  launch.duration = {1e-9 * (static_cast<double>(record.end) - static_cast<double>(record.start))};
  launch.registers = record.registersPerThread;
  launch.static_shared_bytes = record.staticSharedMemory;
  launch.local_bytes = static_cast<int>(record.localMemoryPerThread);
  launch.in_graph = record.graphId != 0;
  if (record.clusterX > 0) {  // 0: without clusters
    launch.cluster = sides(record.clusterX, record.clusterY, record.clusterZ);
  }
  return trace;
}

}  // namespace rooftile::inject
