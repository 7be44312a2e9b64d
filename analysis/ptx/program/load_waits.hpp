// A warp waits for memory at the first use of a value that it has loaded.
#pragma once

#include "analysis/ptx/program/program.hpp"

namespace rooftile::ptx {

// Gives each basic block its loads of global memory and their uses, in order: ptxas moves loads up as far as
// their addresses and the stores before them allow, so that they are under way together. Registers must still
// have the numbers that all instructions share.
void find_load_waits(Program& program);

}  // namespace rooftile::ptx
