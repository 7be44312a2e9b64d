// How many clusters a GPU holds at once: the blocks of a cluster lie within one GPC, and some SMs hold no
// cluster.
// Source: the driver's answers on one H200 (kernels/checks/driver_occupancy.py) for 24 pairs of cluster size
// and blocks per SM, all of which follow from the groups of SMs in clusters.cpp. Another H200 has other SMs
// switched off, and for other chips nobody has asked a driver yet.
#pragma once

#include <vector>

#include "analysis/chip/gpu.hpp"

namespace rooftile {

struct ClusterFit {
  int size = 1;    // blocks of a cluster
  int sms = 0;     // that can hold clusters of this size
  int active = 0;  // clusters at once on the whole GPU
};

// For clusters of 1, 2, 4, 8 and 16 blocks. blocks_per_sm: by all other limits. Empty where it is not known.
std::vector<ClusterFit> cluster_fits(const Gpu& gpu, int blocks_per_sm);

}  // namespace rooftile
