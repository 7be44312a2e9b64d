// The elements that inputs are filled with on the device (kernels/worker/device_code/fill_compare_evict.cu),
// one at a time.
#pragma once

#include <cstdint>
#include <string>

namespace rooftile::ptx {

enum class ElementKind { whole, single_precision, double_precision, half, bfloat16 };
ElementKind element_kind(const std::string& type);  // in CUDA C

struct Fill {
  ElementKind element = ElementKind::single_precision;
  std::uint64_t count = 0;
  double below = 0;  // 0: any
  bool ascending = false;
  double skew = 0;
  std::uint32_t seed = 0;
};

// The bits of the i-th.
std::uint64_t element_of(const Fill& fill, std::uint64_t i);

}  // namespace rooftile::ptx
