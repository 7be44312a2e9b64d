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

// Of the accesses that do the same and move on alike from block to block.
struct Footprint {
  bool reads = false, writes = false;    // an atomic does both
  std::int64_t offset = 0;               // of its addresses from the begin of a sector
  std::vector<std::int64_t> steps;       // bytes, by digit of the number of a block
  std::vector<std::vector<Span>> parts;  // of the run, in order; the spans of each are in order and lie apart
};

// A block's number counts the blocks in the order of their launch. Its digits, of the units 1, 4 and 32 for
// example, say where the block reads: column by column within a group of rows, for example.
struct BlockFootprint {
  std::int64_t block = 0;           // number of the block that was followed
  std::vector<std::int64_t> units;  // of the digits; each divides the next one
  std::vector<Footprint> footprints;
  bool is_whole = true;  // else the block touches more than was followed

  // How far the sectors of a block lie from those of the block that was followed.
  std::int64_t shift(const Footprint& footprint, std::int64_t number) const;
};

// block: the one to follow. parts: that its run is cut into. Throws Error as a run does.
BlockFootprint block_footprint(const Program& program, const ProgramLaunch& launch, Dim3 block, int parts);

}  // namespace rooftile::ptx
