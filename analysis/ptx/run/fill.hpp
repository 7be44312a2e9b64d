// The elements that inputs are filled with on the device (kernels/worker/device_code/fill_compare_evict.cu),
// one at a time.
#pragma once

#include <cstdint>
#include <string>

namespace rooftile::ptx {

struct Fill {
  std::string element = "float";  // its type in CUDA C
  std::uint64_t count = 0;
  double below = 0;  // 0: any
  bool ascending = false;
  double skew = 0;
  std::uint32_t seed = 0;
  double first = 0;  // of those that ascend
};

// A number as the type holds it.
std::uint64_t number_bits(const std::string& element, double number);
// The bits of the i-th.
std::uint64_t element_of(const Fill& fill, std::uint64_t i);

}  // namespace rooftile::ptx
