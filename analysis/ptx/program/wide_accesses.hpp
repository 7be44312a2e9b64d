// Loads and stores of shared memory that ptxas makes one.
#pragma once

#include "analysis/ptx/program/program.hpp"

namespace rooftile::ptx {

// Accesses of a word each at neighbouring places behind one address become a wide one, where four or two begin
// at a multiple of their size as far as the instructions tell, with no other access between that may be of the
// same place: marks them. So does ptxas of CUDA 13.0.
void join_wide_accesses(Program& program);

}  // namespace rooftile::ptx
