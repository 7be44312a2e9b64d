// Which blocks of a launch run together, and which of their loads L2 serves as one. The rules were chosen on
// half of the bundled kernels; `rooftile-cli bench ptx` says how they do on the others.
#pragma once

#include "analysis/ptx/work/block_footprint.hpp"
#include "analysis/ptx/work/l1_cache.hpp"

namespace rooftile::ptx {

struct Together {
  int blocks_of_sm = 1;  // that run in step
  double in_time = 0;    // 0..1: loads of blocks in step that are asked for while others wait for the same
};

// An SM serves its oldest warps first, and warps beyond those that keep it busy fall behind by the whole life
// of a block. Two warps of a scheduler take turns. Of more that copy ahead with cp.async, and so hardly wait,
// one is enough; of those that wait for their loads, four are. Where memory is slower than the SM, all of them
// wait, and stay together.
Together blocks_together(const Program& program, const ProgramLaunch& launch, const KernelWork& work,
                         double sectors_beyond_l1, const Residency& residency);

// Blocks of a cluster, and so of one GPC, that read the same; else 1.
double blocks_of_one_gpc(const BlockFootprint& block, const Footprint& footprint, const Launch& launch);

// The share of loads that blocks side by side have in common on one GPC, whose SMs L2 serves at once if they
// ask in time. group: blocks in step.
double joined_share(const BlockFootprint& block, const Launch& launch, std::int64_t group, int sms);

}  // namespace rooftile::ptx
