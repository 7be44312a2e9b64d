#include "analysis/chip/clusters.hpp"

#include <array>

namespace rooftile {
namespace {

// Groups of SMs of an H200 that share clusters. A group holds no cluster of more blocks than it has SMs.
constexpr std::array sms_of_groups = {18, 18, 16, 16, 16, 16, 16, 8, 2, 2, 2, 2};
constexpr int sms_of_h200 = 132;

ClusterFit fit_of(int size, int blocks_per_sm) {
  ClusterFit fit{size, 0, 0};
  for (const int sms : sms_of_groups) {
    if (sms >= size) {
      fit.sms += sms;
      fit.active += sms * blocks_per_sm / size;
    }
  }
  return fit;
}

}  // namespace

std::vector<ClusterFit> cluster_fits(const Gpu& gpu, int blocks_per_sm) {
  std::vector<ClusterFit> fits;
  const bool is_h200 = gpu.name == "NVIDIA H200" || gpu.driver_name == "NVIDIA H200";
  if (is_h200 && gpu.sm_count == sms_of_h200) {
    for (const int size : {1, 2, 4, 8, 16}) {
      fits.push_back(fit_of(size, blocks_per_sm));
    }
  }
  return fits;
}

}  // namespace rooftile
