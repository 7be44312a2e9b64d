#include <algorithm>
#include <array>

#include "kernels/worker/compile/stand_ins/stand_ins.hpp"

namespace rooftile::worker {
namespace {

constexpr std::string_view types_of_libraries =
    "#if __has_include(<cuda_bf16.h>)\n"
    "#include <cuComplex.h>\n#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n#endif\n";

// Headers with functions of the host, of the toolkit or of libraries on it, and what of them is for the device.
struct HostHeader {
  std::string_view begins, text;
};
constexpr std::array<HostHeader, 12> host_headers = {{
    {"thrust/", ""},
    {"cuda_gl_interop", ""},
    {"cudaGL", ""},
    {"cudaEGL", ""},
    {"cuda_egl_interop", ""},
    {"cublas", types_of_libraries},
    {"cusparse", types_of_libraries},
    {"cusolver", types_of_libraries},
    {"curand.h",
     "typedef double curandDistribution_st, *curandDistribution_t;\n"
     "typedef struct curandDistributionShift_st* curandDistributionShift_t;\n"
     "typedef struct curandDistributionM2Shift_st* curandDistributionM2Shift_t;\n"
     "typedef struct curandHistogramM2_st* curandHistogramM2_t;\n"
     "typedef unsigned int curandHistogramM2K_st, *curandHistogramM2K_t;\n"
     "typedef curandDistribution_st curandHistogramM2V_st, *curandHistogramM2V_t;\n"
     "typedef struct curandDiscreteDistribution_st* curandDiscreteDistribution_t;\n"
     "typedef unsigned int curandDirectionVectors32_t[32];\n"
     "typedef unsigned long long curandDirectionVectors64_t[64];\n"
     "typedef enum curandMethod { CURAND_M1 = 4, CURAND_3RD = 11 } curandMethod_t;\n"},
    {"nvtx3/", ""},
    {"cuda_profiler", ""},
    {"cub/cub.cuh",
     "#include <cub/block/block_exchange.cuh>\n#include <cub/block/block_histogram.cuh>\n"
     "#include <cub/block/block_load.cuh>\n#include <cub/block/block_radix_sort.cuh>\n"
     "#include <cub/block/block_reduce.cuh>\n#include <cub/block/block_scan.cuh>\n"
     "#include <cub/block/block_store.cuh>\n#include <cub/warp/warp_reduce.cuh>\n"
     "#include <cub/warp/warp_scan.cuh>\n"},
}};

}  // namespace

std::optional<std::string> device_part_of(const std::string& header) {
  for (const char* folder : {"torch/", "ATen/", "c10/", "THC/"}) {
    if (header.starts_with(folder)) {
      return std::string(types_of_libraries) + torch_names;
    }
  }
  const auto known = std::ranges::find_if(
      host_headers, [&](const HostHeader& each) { return header.starts_with(each.begins); });
  return known == host_headers.end() ? std::nullopt : std::optional(std::string(known->text));
}

}  // namespace rooftile::worker
