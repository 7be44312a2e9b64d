// What a block touches in global memory, by access and by part of its run, and how far other blocks touch
// beside it.
#pragma once

#include <vector>

#include "analysis/ptx/work/kernel_work.hpp"

namespace rooftile::ptx {

// Sectors from `first` on, by number: address / 32.
struct Span {
  std::uint64_t first = 0, count = 0;
};

// Bytes from a block to the next one along each axis of the grid.
struct BlockSteps {
  std::int64_t x = 0, y = 0, z = 0;
  auto operator<=>(const BlockSteps&) const = default;
};

// Of the accesses that do the same and move on alike from block to block.
struct Footprint {
  bool reads = false, writes = false;  // an atomic does both
  BlockSteps steps;
  std::vector<std::vector<Span>> parts;  // of the run, in order; the spans of each are in order and lie apart
};

struct BlockFootprint {
  Dim3 block;  // in the middle of the grid
  std::vector<Footprint> footprints;
  bool is_whole = true;  // else the block touches more than was followed
};

// parts: that the run of the block is cut into. Throws Error as a run does.
BlockFootprint block_footprint(const Program& program, const ProgramLaunch& launch, int parts);

}  // namespace rooftile::ptx
