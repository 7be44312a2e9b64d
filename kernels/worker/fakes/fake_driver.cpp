// A driver without a GPU, for tests: whatever it is asked succeeds and does nothing, unless the environment
// names a call and the error that it gives: FAKE_DRIVER=cuInit=100. FAKE_DRIVER_VERSION is the CUDA version it
// serves, FAKE_GPUS how many GPUs it sees, FAKE_CC their compute capability, FAKE_FREE_MEMORY the free part [B]
// of their 8 GiB.
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

CUresult answer(const char* call) {
  const char* rule = std::getenv("FAKE_DRIVER");
  const std::string start = std::string(call) + "=";
  return rule && std::strncmp(rule, start.c_str(), start.size()) == 0
             ? static_cast<CUresult>(std::atoi(rule + start.size()))
             : CUDA_SUCCESS;
}

// "9.0"
std::string compute_capability() {
  const char* told = std::getenv("FAKE_CC");
  return told ? told : "9.0";
}

int attribute(CUdevice_attribute wanted) {
  switch (wanted) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
      return std::stoi(compute_capability());
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
      return std::stoi(compute_capability().substr(compute_capability().find('.') + 1));
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
      return 4;
    case CU_DEVICE_ATTRIBUTE_WARP_SIZE:
      return 32;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR:
      return 2048;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR:
      return 32;
    default:
      return 1 << 16;
  }
}

template <class T>
CUresult give(const char* call, T* place, T value) {
  *place = value;
  return answer(call);
}

float now = 0;  // [ms]

float launch_ms() {
  const char* told = std::getenv("FAKE_LAUNCH_MS");
  return told ? std::strtof(told, nullptr) : 1.0F;
}

}  // namespace

// Declared in fake_device.hpp.
struct FakeLaunch {
  unsigned grid_x, block_x, shared_bytes, cluster_x;
};
std::vector<FakeLaunch>& fake_launches();
std::vector<FakeLaunch>& fake_launches() {
  static std::vector<FakeLaunch> all;
  return all;
}

namespace {

// Memory of the program's own that counts as the GPU's.
struct FakeMemory {
  CUdeviceptr begin;
  std::size_t bytes;
  bool holds(CUdeviceptr address) const { return address >= begin && address - begin < bytes; }
};
std::vector<FakeMemory>& fake_memories() {
  static std::vector<FakeMemory> all;
  return all;
}
const FakeMemory* memory_at(CUdeviceptr address) {
  for (const FakeMemory& each : fake_memories()) {
    if (each.holds(address)) {
      return &each;
    }
  }
  return nullptr;
}

}  // namespace

#define SUCCEEDS(name, ...)    \
  CUresult name(__VA_ARGS__) { \
    return answer(#name);      \
  }

extern "C" {
SUCCEEDS(cuInit, unsigned)
CUresult cuDriverGetVersion(int* version) {
  const char* told = std::getenv("FAKE_DRIVER_VERSION");
  return give("cuDriverGetVersion", version, told ? std::atoi(told) : 13000);
}
CUresult cuGetErrorName(CUresult error, const char** name) {
  static std::string text;
  text = "CUDA_ERROR_" + std::to_string(error);
  return give("cuGetErrorName", name, text.c_str());
}
CUresult cuGetErrorString(CUresult, const char** sentence) {
  return give("cuGetErrorString", sentence, "as the test wants it");
}
CUresult cuDeviceGetCount(int* count) {
  const char* told = std::getenv("FAKE_GPUS");
  return give("cuDeviceGetCount", count, told ? std::atoi(told) : 1);
}
CUresult cuDeviceGet(CUdevice* device, int) {
  return give("cuDeviceGet", device, 0);
}
CUresult cuDeviceGetName(char* name, int size, CUdevice) {
  std::snprintf(name, static_cast<std::size_t>(size), "Fake GPU");
  return answer("cuDeviceGetName");
}
CUresult cuDeviceGetPCIBusId(char* id, int size, CUdevice) {
  std::snprintf(id, static_cast<std::size_t>(size), "0000:00:00.0");
  return answer("cuDeviceGetPCIBusId");
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute wanted, CUdevice) {
  return give("cuDeviceGetAttribute", value, attribute(wanted));
}
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) {
  return give("cuDevicePrimaryCtxRetain", context, reinterpret_cast<CUcontext>(1));
}
SUCCEEDS(cuCtxSetCurrent, CUcontext)
SUCCEEDS(cuCtxSynchronize, void)
CUresult cuCtxGetCurrent(CUcontext* context) {
  return give("cuCtxGetCurrent", context, reinterpret_cast<CUcontext>(1));
}
SUCCEEDS(cuCtxRecordEvent, CUcontext, CUevent)
CUresult cuCtxGetDevice(CUdevice* device) {
  return give("cuCtxGetDevice", device, 0);
}
CUresult cuMemGetInfo(std::size_t* free, std::size_t* total) {
  const char* told = std::getenv("FAKE_FREE_MEMORY");
  *total = std::size_t{1} << 33;
  *free = told ? std::stoull(told) : *total;
  return answer("cuMemGetInfo");
}
CUresult cuMemAlloc(CUdeviceptr* pointer, std::size_t) {
  return give("cuMemAlloc", pointer, CUdeviceptr{256});
}
SUCCEEDS(cuMemFree, CUdeviceptr)
CUresult cuMemHostAlloc(void** memory, std::size_t bytes, unsigned) {
  return give("cuMemHostAlloc", memory, std::calloc(1, bytes));
}
CUresult cuMemHostGetDevicePointer(CUdeviceptr* pointer, void* memory, unsigned) {
  return give("cuMemHostGetDevicePointer", pointer, reinterpret_cast<CUdeviceptr>(memory));
}
CUresult cuMemFreeHost(void* memory) {
  std::free(memory);
  return answer("cuMemFreeHost");
}
SUCCEEDS(cuMemcpyHtoD, CUdeviceptr, const void*, std::size_t)
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, std::size_t bytes) {
  if (memory_at(from) != nullptr) {
    std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  }
  return answer("cuMemcpyDtoH");
}
void fake_memory(void* begin, std::size_t bytes);
void fake_memory(void* begin, std::size_t bytes) {
  fake_memories().push_back({reinterpret_cast<CUdeviceptr>(begin), bytes});
}
// Asked for where an allocation begins and how large it is.
CUresult cuPointerGetAttributes(unsigned, CUpointer_attribute*, void** values, CUdeviceptr pointer) {
  if (const FakeMemory* found = memory_at(pointer)) {
    *static_cast<CUdeviceptr*>(values[0]) = found->begin;
    *static_cast<std::size_t*>(values[1]) = found->bytes;
  }
  return answer("cuPointerGetAttributes");
}
// FAKE_TEXTURE is the one texture that there is.
CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC*, CUtexObject texture) {
  const char* told = std::getenv("FAKE_TEXTURE");
  return told != nullptr && std::strtoull(told, nullptr, 0) == texture ? CUDA_SUCCESS
                                                                       : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC*, CUsurfObject) {
  return CUDA_ERROR_INVALID_VALUE;
}
CUresult cuFuncGetModule(CUmodule* module, CUfunction) {
  return give("cuFuncGetModule", module, reinterpret_cast<CUmodule>(1));
}
CUresult cuKernelGetFunction(CUfunction* function, CUkernel) {
  return give("cuKernelGetFunction", function, reinterpret_cast<CUfunction>(1));
}
SUCCEEDS(cuMemcpyDtoDAsync, CUdeviceptr, CUdeviceptr, std::size_t, CUstream)
SUCCEEDS(cuMemsetD8, CUdeviceptr, unsigned char, std::size_t)
CUresult cuModuleLoadData(CUmodule* module, const void*) {
  return give("cuModuleLoadData", module, reinterpret_cast<CUmodule>(1));
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule, const char*) {
  return give("cuModuleGetFunction", function, reinterpret_cast<CUfunction>(1));
}
// Each variable has 64 bytes.
CUresult cuModuleGetGlobal(CUdeviceptr* pointer, std::size_t* bytes, CUmodule, const char*) {
  *bytes = 64;
  return give("cuModuleGetGlobal", pointer, CUdeviceptr{512});
}
SUCCEEDS(cuFuncSetAttribute, CUfunction, CUfunction_attribute, int)
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute, CUfunction) {
  return give("cuFuncGetAttribute", value, 32);
}
// A launch takes a millisecond, or FAKE_LAUNCH_MS; all else nothing. An event is the time when it was recorded.
CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction, void**, void**) {
  unsigned cluster = 0;
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const CUlaunchAttribute& attribute = config->attrs[i];
    cluster = attribute.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION ? attribute.value.clusterDim.x : cluster;
  }
  fake_launches().push_back({config->gridDimX, config->blockDimX, config->sharedMemBytes, cluster});
  return give("cuLaunchKernelEx", &now, now + launch_ms());
}
CUresult cuEventCreate(CUevent* event, unsigned) {
  return give("cuEventCreate", event, reinterpret_cast<CUevent>(new float(now)));
}
CUresult cuEventDestroy(CUevent event) {
  delete reinterpret_cast<float*>(event);
  return CUDA_SUCCESS;
}
CUresult cuEventRecord(CUevent event, CUstream) {
  return give("cuEventRecord", reinterpret_cast<float*>(event), now);
}
SUCCEEDS(cuEventSynchronize, CUevent)
SUCCEEDS(cuEventQuery, CUevent)
CUresult cuEventElapsedTime(float* milliseconds, CUevent begin, CUevent end) {
  return give("cuEventElapsedTime", milliseconds,
              *reinterpret_cast<float*>(end) - *reinterpret_cast<float*>(begin));
}
SUCCEEDS(cuTensorMapEncodeTiled, CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
         const cuuint64_t*, const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle,
         CUtensorMapL2promotion, CUtensorMapFloatOOBfill)
}
