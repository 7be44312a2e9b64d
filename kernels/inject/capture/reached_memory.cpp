#include "kernels/inject/capture/reached_memory.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace rooftile::inject {

// The driver answers for any word, and leaves the attributes of one that is no address at zero.
std::optional<Allocation> ReachedMemory::allocation_at(CUdeviceptr address) const {
  Allocation found;
  std::size_t bytes = 0;
  CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, CU_POINTER_ATTRIBUTE_RANGE_SIZE};
  void* values[] = {&found.begin, &bytes};
  const CUresult result = driver_->cuPointerGetAttributes(2, attributes, values, address);
  found.bytes = bytes;
  return result == CUDA_SUCCESS && found.begin != 0 && found.holds(address) ? std::optional(found)
                                                                            : std::nullopt;
}

std::size_t ReachedMemory::number_of(const Allocation& allocation) {
  const auto known = std::ranges::find(allocations_, allocation.begin, &Allocation::begin);
  if (known != allocations_.end()) {
    return static_cast<std::size_t>(known - allocations_.begin());
  }
  allocations_.push_back(allocation);
  return allocations_.size() - 1;
}

CapturedParameter ReachedMemory::read(std::string bytes) {
  CapturedParameter parameter{std::move(bytes), {}};
  CUdeviceptr word = 0;
  for (std::size_t at = 0; at + sizeof word <= parameter.bytes.size(); at += sizeof word) {
    std::memcpy(&word, parameter.bytes.data() + at, sizeof word);
    if (const auto allocation = allocation_at(word)) {
      parameter.pointers.push_back({at, number_of(*allocation), word - allocation->begin});
    }
  }
  return parameter;
}

std::uint64_t ReachedMemory::bytes() const {
  return std::accumulate(allocations_.begin(), allocations_.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Allocation& each) { return sum + each.bytes; });
}

bool ReachedMemory::is_address(CUdeviceptr word) const {
  return std::ranges::any_of(allocations_, [&](const Allocation& each) { return each.holds(word); }) ||
         allocation_at(word).has_value();
}

}  // namespace rooftile::inject
