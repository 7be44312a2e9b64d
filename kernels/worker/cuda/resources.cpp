#include "kernels/worker/cuda/resources.hpp"

#include <fmt/format.h>

#include "analysis/format.hpp"

namespace rooftile::worker {

DeviceMemory::DeviceMemory(const Device& device, std::size_t bytes) : driver_(&device.driver()), bytes_(bytes) {
  const CUresult result = driver_->cuMemAlloc(&pointer_, bytes);
  if (result == CUDA_ERROR_OUT_OF_MEMORY) {
    throw Error(fmt::format("The GPU has no room for a buffer of {}: {} are free. Choose a smaller size.",
                            text(Bytes{static_cast<double>(bytes)}), text(device.free_memory())));
  }
  driver_->check(result, "cuMemAlloc");
}

DeviceMemory::~DeviceMemory() {
  if (pointer_ != 0) {
    driver_->cuMemFree(pointer_);
  }
}

void DeviceMemory::fill_bytes(unsigned char value) const {
  driver_->check(driver_->cuMemsetD8(pointer_, value, bytes_), "cuMemsetD8");
}

void DeviceMemory::copy_from(const DeviceMemory& other) const {
  driver_->check(driver_->cuMemcpyDtoDAsync(pointer_, other.pointer_, bytes_, nullptr), "cuMemcpyDtoDAsync");
}

Kernel::Kernel(const Device& device, const std::string& cubin, const std::string& entry)
    : driver_(&device.driver()) {
  CUmodule module = nullptr;
  driver_->check(driver_->cuModuleLoadData(&module, cubin.data()), "cuModuleLoadData");
  if (driver_->cuModuleGetFunction(&function_, module, entry.c_str()) != CUDA_SUCCESS) {
    throw Error(
        fmt::format("The source has no kernel named {}: is it declared extern \"C\" __global__?", entry));
  }
}

void Kernel::launch(const Launch& launch, Arguments& arguments) const {
  if (launch.dynamic_shared_bytes > 0) {
    driver_->check(driver_->cuFuncSetAttribute(function_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                               launch.dynamic_shared_bytes),
                   "cuFuncSetAttribute(MAX_DYNAMIC_SHARED_SIZE_BYTES)");
  }
  const auto unsigned_of = [](int value) { return static_cast<unsigned>(value); };
  const Dim3 &grid = launch.grid, &block = launch.block;
  driver_->check(driver_->cuLaunchKernel(function_, unsigned_of(grid.x), unsigned_of(grid.y),
                                         unsigned_of(grid.z), unsigned_of(block.x), unsigned_of(block.y),
                                         unsigned_of(block.z), unsigned_of(launch.dynamic_shared_bytes),
                                         nullptr, arguments.pointers().data(), nullptr),
                 "cuLaunchKernel");
}

Event::Event(const Device& device) : driver_(&device.driver()) {
  driver_->check(driver_->cuEventCreate(&event_, CU_EVENT_DEFAULT), "cuEventCreate");
}

Event::~Event() {
  if (event_ != nullptr) {
    driver_->cuEventDestroy(event_);
  }
}

void Event::record() const {
  driver_->check(driver_->cuEventRecord(event_, nullptr), "cuEventRecord");
}

Seconds Event::since(const Event& start) const {
  driver_->check(driver_->cuEventSynchronize(event_), "cuEventSynchronize");
  float milliseconds = 0;
  driver_->check(driver_->cuEventElapsedTime(&milliseconds, start.event_, event_), "cuEventElapsedTime");
  return {1e-3 * static_cast<double>(milliseconds)};
}

}  // namespace rooftile::worker
