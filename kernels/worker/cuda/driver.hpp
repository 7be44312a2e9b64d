// The CUDA driver API, loaded at run time: a program that uses it starts on machines without a driver.
#pragma once

#include <cuda.h>

#include <optional>
#include <string>

#include "analysis/text/error.hpp"

namespace rooftile::worker {

// cuda.h maps most names to versioned ones (cuMemAlloc -> cuMemAlloc_v2); members and symbol names follow it.
#define ROOFTILE_DRIVER_FUNCTIONS(F) \
  F(cuInit);                         \
  F(cuDriverGetVersion);             \
  F(cuGetErrorName);                 \
  F(cuGetErrorString);               \
  F(cuDeviceGetCount);               \
  F(cuDeviceGet);                    \
  F(cuDeviceGetName);                \
  F(cuDeviceGetAttribute);           \
  F(cuDeviceGetPCIBusId);            \
  F(cuDevicePrimaryCtxRetain);       \
  F(cuCtxSetCurrent);                \
  F(cuCtxGetCurrent);                \
  F(cuCtxSynchronize);               \
  F(cuCtxGetDevice);                 \
  F(cuMemGetInfo);                   \
  F(cuMemAlloc);                     \
  F(cuMemFree);                      \
  F(cuMemHostAlloc);                 \
  F(cuMemHostGetDevicePointer);      \
  F(cuMemFreeHost);                  \
  F(cuMemcpyHtoD);                   \
  F(cuMemcpyDtoH);                   \
  F(cuMemcpyDtoDAsync);              \
  F(cuMemsetD8);                     \
  F(cuModuleLoadData);               \
  F(cuModuleGetFunction);            \
  F(cuModuleGetGlobal);              \
  F(cuPointerGetAttributes);         \
  F(cuFuncGetModule);                \
  F(cuKernelGetFunction);            \
  F(cuFuncSetAttribute);             \
  F(cuFuncGetAttribute);             \
  F(cuLaunchKernelEx);               \
  F(cuEventCreate);                  \
  F(cuEventDestroy);                 \
  F(cuEventRecord);                  \
  F(cuEventQuery);                   \
  F(cuEventSynchronize);             \
  F(cuEventElapsedTime);             \
  F(cuTensorMapEncodeTiled);         \
  F(cuTexObjectGetResourceDesc);     \
  F(cuSurfObjectGetResourceDesc)

struct Driver {
#define ROOFTILE_MEMBER(name) decltype(&::name) name = nullptr
  ROOFTILE_DRIVER_FUNCTIONS(ROOFTILE_MEMBER);
#undef ROOFTILE_MEMBER
  decltype(&::cuCtxRecordEvent) cuCtxRecordEvent = nullptr;  // CUDA 12.5 or later
  std::string file;

  // Throws DriverError with the driver's words and the call, unless the result is a success.
  void check(CUresult result, const char* call) const;
  // The CUDA version that the driver serves: "13.0". The API does not tell the driver's own version
  // ("580.159").
  std::string version() const;
};

// Empty when the machine has no driver; `tried` then says why.
std::optional<Driver> load_driver(std::string* tried = nullptr);

// A driver call that failed. After most failures the context cannot be used any more.
class DriverError : public Error {
 public:
  DriverError(CUresult code, const std::string& sentence) : Error(sentence), code_(code) {}
  CUresult code() const { return code_; }

 private:
  CUresult code_;
};

}  // namespace rooftile::worker
