#include "kernels/worker/cuda/device.hpp"

#include <fmt/format.h>

#include <array>

namespace rooftile::worker {

namespace {

std::string name_of(const Driver& driver, CUdevice device) {
  std::array<char, 256> name{};
  driver.check(driver.cuDeviceGetName(name.data(), static_cast<int>(name.size()), device), "cuDeviceGetName");
  return name.data();
}

std::vector<std::string> names_of_all(const Driver& driver) {
  int count = 0;
  driver.check(driver.cuDeviceGetCount(&count), "cuDeviceGetCount");
  std::vector<std::string> names;
  for (CUdevice device = 0; device < count; ++device) {
    names.push_back(name_of(driver, device));
  }
  return names;
}

}  // namespace

Device::Device(const Driver& driver, int index) : driver_(&driver), index_(index) {
  driver.check(driver.cuInit(0), "cuInit");
  machine_ = names_of_all(driver);
  if (index >= static_cast<int>(machine_.size())) {
    throw Error(fmt::format("There is no GPU {}: the driver sees {}.", index, machine_.size()));
  }
  driver.check(driver.cuDeviceGet(&device_, index), "cuDeviceGet");
  driver.check(driver.cuDevicePrimaryCtxRetain(&context_, device_), "cuDevicePrimaryCtxRetain");
  make_current();
  gpu_ = gpu_of(driver, device_);
}

void Device::make_current() const {
  driver_->check(driver_->cuCtxSetCurrent(context_), "cuCtxSetCurrent");
}

void Device::synchronize() const {
  driver_->check(driver_->cuCtxSynchronize(), "cuCtxSynchronize");
}

std::string Device::pci_bus_id() const {
  std::array<char, 32> id{};
  driver_->check(driver_->cuDeviceGetPCIBusId(id.data(), static_cast<int>(id.size()), device_),
                 "cuDeviceGetPCIBusId");
  return id.data();
}

Bytes Device::free_memory() const {
  std::size_t free = 0, total = 0;
  driver_->check(driver_->cuMemGetInfo(&free, &total), "cuMemGetInfo");
  return {static_cast<double>(free)};
}

Gpu gpu_of(const Driver& driver, CUdevice device) {
  const auto attribute = [&](CUdevice_attribute wanted) {
    int value = 0;
    driver.check(driver.cuDeviceGetAttribute(&value, wanted, device), "cuDeviceGetAttribute");
    return value;
  };
  Gpu gpu;
  gpu.name = name_of(driver, device);
  gpu.cc = {attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
            attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)};
  gpu.sm_count = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  gpu.boost_clock = {1e3 * attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE)};
  gpu.l2_size = {static_cast<double>(attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE))};
  gpu.source = "the driver";

  // Granularities and carveout steps have no attribute; everything that has one is asked.
  SmLimits sm = closest_architecture(gpu.cc).sm;
  sm.threads = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
  sm.warps = sm.threads / attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE);
  sm.blocks = attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
  sm.registers = attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
  sm.shared_bytes = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
  sm.shared_bytes_per_block = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
  sm.shared_bytes_per_block_optin = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  sm.shared_bytes_reserved = attribute(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
  gpu.sm = sm;
  return gpu;
}

}  // namespace rooftile::worker
