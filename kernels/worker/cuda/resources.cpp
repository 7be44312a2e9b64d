#include "kernels/worker/cuda/resources.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/text/format.hpp"

namespace rooftile::worker {

DeviceMemory::DeviceMemory(const Device& device, std::size_t bytes, Room room)
    : driver_(&device.driver()), bytes_(bytes) {
  constexpr std::size_t page = 2 << 20;  // from this size on the driver gives pages to one buffer alone
  const CUresult result =
      driver_->cuMemAlloc(&pointer_, room == Room::whole_pages ? std::max(bytes, page) : bytes);
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

void DeviceMemory::write(std::string_view bytes) const {
  driver_->check(driver_->cuMemcpyHtoD(pointer_, bytes.data(), bytes_), "cuMemcpyHtoD");
}

void DeviceMemory::copy(const DeviceMemory& original) const {
  driver_->check(driver_->cuMemcpyDtoDAsync(pointer_, original.pointer_, bytes_, nullptr), "cuMemcpyDtoDAsync");
}

Kernel::Kernel(const Device& device, const std::string& cubin, const std::string& entry)
    : driver_(&device.driver()) {
  const CUresult loaded = driver_->cuModuleLoadData(&module_, cubin.data());
  if (loaded == CUDA_ERROR_INVALID_IMAGE || loaded == CUDA_ERROR_NO_BINARY_FOR_GPU) {
    throw Error(fmt::format(
        "The driver does not load the compiled kernel {}: it is damaged, or was compiled for another GPU.",
        entry));
  }
  driver_->check(loaded, "cuModuleLoadData");
  if (driver_->cuModuleGetFunction(&function_, module_, entry.c_str()) != CUDA_SUCCESS) {
    throw Error(
        fmt::format("The source has no kernel named {}: is it declared extern \"C\" __global__?", entry));
  }
}

std::optional<Kernel::Global> Kernel::global(const std::string& symbol) const {
  Global found;
  const CUresult result = driver_->cuModuleGetGlobal(&found.pointer, &found.bytes, module_, symbol.c_str());
  if (result == CUDA_ERROR_NOT_FOUND) {
    return std::nullopt;
  }
  driver_->check(result, "cuModuleGetGlobal");
  return found;
}

void Kernel::allow(const Launch& launch) const {
  constexpr int portable_cluster = 8;  // blocks; more only where asked for by name
  if (launch.dynamic_shared_bytes > 0) {
    driver_->check(driver_->cuFuncSetAttribute(function_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                               launch.dynamic_shared_bytes),
                   "cuFuncSetAttribute(MAX_DYNAMIC_SHARED_SIZE_BYTES)");
  }
  if (const int carveout = launch.carveout_percent.value_or(CU_SHAREDMEM_CARVEOUT_DEFAULT);
      carveout != carveout_) {
    driver_->check(
        driver_->cuFuncSetAttribute(function_, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, carveout),
        "cuFuncSetAttribute(PREFERRED_SHARED_MEMORY_CARVEOUT)");
    carveout_ = carveout;
  }
  if (launch.cluster.count() > portable_cluster) {
    driver_->check(
        driver_->cuFuncSetAttribute(function_, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1),
        "cuFuncSetAttribute(NON_PORTABLE_CLUSTER_SIZE_ALLOWED)");
  }
}

void Kernel::launch(const Launch& launch, Arguments& arguments) const {
  allow(launch);
  const auto unsigned_of = [](int value) { return static_cast<unsigned>(value); };
  const Dim3 &grid = launch.grid, &block = launch.block, &cluster = launch.cluster;
  std::vector<CUlaunchAttribute> attributes;
  if (cluster.count() > 1) {
    attributes.emplace_back().id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attributes.back().value.clusterDim = {unsigned_of(cluster.x), unsigned_of(cluster.y),
                                          unsigned_of(cluster.z)};
  }
  if (launch.cooperative) {
    attributes.emplace_back().id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    attributes.back().value.cooperative = 1;
  }
  CUlaunchConfig config{};
  config.gridDimX = unsigned_of(grid.x);
  config.gridDimY = unsigned_of(grid.y);
  config.gridDimZ = unsigned_of(grid.z);
  config.blockDimX = unsigned_of(block.x);
  config.blockDimY = unsigned_of(block.y);
  config.blockDimZ = unsigned_of(block.z);
  config.sharedMemBytes = unsigned_of(launch.dynamic_shared_bytes);
  config.attrs = attributes.data();
  config.numAttrs = static_cast<unsigned>(attributes.size());
  const CUresult result = driver_->cuLaunchKernelEx(&config, function_, arguments.pointers().data(), nullptr);
  if (result == CUDA_ERROR_INVALID_CLUSTER_SIZE) {
    throw Error(
        fmt::format("This GPU has no room for a cluster of {} such blocks: choose a smaller cluster, or "
                    "blocks with less shared memory.",
                    cluster.count()));
  }
  if (result == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE) {
    throw Error(fmt::format(
        "A cooperative launch of {} blocks needs all of them resident at once, which this GPU has no "
        "room for: choose a smaller grid, such as a multiple of `sms`.",
        count(static_cast<double>(grid.count()))));
  }
  driver_->check(result, "cuLaunchKernelEx");
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
