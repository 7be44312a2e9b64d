// The allocations that a launch's parameters point into.
#pragma once

#include <string>
#include <vector>

#include "analysis/source/manifest/captured_manifest.hpp"
#include "kernels/worker/cuda/driver.hpp"

namespace rooftile::inject {

struct Allocation {
  CUdeviceptr begin = 0;
  std::uint64_t bytes = 0;
  bool holds(CUdeviceptr address) const { return address >= begin && address - begin < bytes; }
};

class ReachedMemory {
 public:
  explicit ReachedMemory(const worker::Driver& driver) : driver_(&driver) {}

  // Every aligned word that is the address of an allocation is taken as a pointer.
  CapturedParameter read(std::string bytes);
  const std::vector<Allocation>& allocations() const { return allocations_; }
  std::uint64_t bytes() const;

  // Whether the address lies in an allocation, one of these or another.
  bool is_address(CUdeviceptr word) const;

 private:
  std::optional<Allocation> allocation_at(CUdeviceptr address) const;
  std::size_t number_of(const Allocation& allocation);

  const worker::Driver* driver_;
  std::vector<Allocation> allocations_;
};

}  // namespace rooftile::inject
