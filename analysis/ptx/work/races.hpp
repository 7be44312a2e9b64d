// Words of shared memory that two lanes of a block touch between two barriers, one of them writing; and words
// that are read before anybody has written them, or before a copy that does has ended.
#pragma once

#include <string>
#include <vector>

#include "analysis/ptx/run/block_run.hpp"

namespace rooftile::ptx {

// A sentence each, with both places in the source, of the first block of the grid, one in the middle and the
// last one; every trip of their loops is run, up to the budget of each, and what was found until then is told.
// All threads of a block are taken to be in order at any barrier, all lanes of a warp at any __syncwarp(), and
// so are lanes that one instruction lets write one word. None of a program that waits at mbarriers. Throws
// Error for what is not followed.
std::vector<std::string> races_of(const Program& program, const ProgramLaunch& launch, Budget budget = {});

}  // namespace rooftile::ptx
