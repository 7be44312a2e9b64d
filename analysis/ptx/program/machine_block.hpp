// The machine's code that ptxas makes of PTX.
#pragma once

#include <vector>

namespace rooftile {

// A basic block: the line of the PTX that each of its instructions was made of.
struct MachineBlock {
  std::vector<int> lines = {};
  // The same for accesses, barriers and arithmetic of floats alone. ptxas adds such instructions only where it
  // unrolls a loop.
  std::vector<int> kept = {};
  int target = -1;  // the block that its last instruction may branch to; -1: none
  int waits = 0;    // for loads of global memory, or results of atomics, of which some are still under way
  bool operator==(const MachineBlock&) const = default;
};

}  // namespace rooftile
