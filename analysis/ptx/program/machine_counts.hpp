// How often the machine's instructions are executed, from how often the PTX's basic blocks are.
#pragma once

#include <span>
#include <vector>

#include "analysis/ptx/program/program.hpp"

namespace rooftile::ptx {

struct MachineCounts {
  std::vector<double> warps;  // by instruction of the PTX: warp instructions that ptxas made of it
  double code = 0;            // instructions that any warp executes
  double waits = 0;           // of warps, for loads of global memory that are under way together
};

// block_warps: by basic block of the PTX, the warps that execute it. A block of the machine is executed as
// often as the block of the PTX that its accesses, barriers and arithmetic of floats came from; where ptxas has
// unrolled a loop, as often as the copies in it make needful. Without machine code: an instruction each, and a
// wait for the loads of each block.
MachineCounts machine_counts(const Program& program, std::span<const double> block_warps);

}  // namespace rooftile::ptx
