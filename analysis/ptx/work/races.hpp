// Words of shared memory that two warps of a block touch between two barriers, one of them writing; and words
// that are read before anybody has written them.
#pragma once

#include <string>
#include <vector>

#include "analysis/ptx/run/block_run.hpp"

namespace rooftile::ptx {

// A sentence each, with both places in the source, of the first block of the grid, one in the middle and the
// last one; every trip of their loops is run, up to the budget of each, and what was found until then is told.
// Lanes of one warp are taken to be in order, and so are all threads of a block at any barrier; cp.async is
// taken to write at once. None of a program that waits at mbarriers. Throws Error for what is not followed.
std::vector<std::string> races_of(const Program& program, const ProgramLaunch& launch, Budget budget = {});

}  // namespace rooftile::ptx
