// Loads of global memory that wait for each other.
#pragma once

#include "analysis/ptx/program/program.hpp"

namespace rooftile::ptx {

// Rounds of such loads in one run of a basic block: a load is in the round after those that its address rests
// on, and all others of a round are under way together. 0 without loads.
int load_rounds(const Program& program, const BasicBlock& block);

}  // namespace rooftile::ptx
