// One GPU with its primary context current on the calling thread.
#pragma once

#include <string>
#include <vector>

#include "analysis/chip/gpu.hpp"
#include "kernels/worker/cuda/driver.hpp"

namespace rooftile::worker {

// The driver's description of a GPU; the datasheet's quoted figures are left empty. Throws DriverError.
Gpu gpu_of(const Driver& driver, CUdevice device);

class Device {
 public:
  // Throws Error when there is no such GPU or no context can be made.
  Device(const Driver& driver, int index);

  const Driver& driver() const { return *driver_; }
  int index() const { return index_; }
  // The names of all GPUs that the driver sees, as it counts them.
  const std::vector<std::string>& machine() const { return machine_; }
  CUcontext context() const { return context_; }
  const Gpu& gpu() const { return gpu_; }
  std::string pci_bus_id() const;  // by which other libraries know it
  Bytes free_memory() const;
  void make_current() const;  // for another thread
  void synchronize() const;

 private:
  const Driver* driver_;
  int index_;
  std::vector<std::string> machine_;
  CUdevice device_ = 0;
  CUcontext context_ = nullptr;
  Gpu gpu_;
};

}  // namespace rooftile::worker
