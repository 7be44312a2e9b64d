// Counts of the blocks that ran.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/ptx/program/program.hpp"

namespace rooftile::ptx {

// The counts of one instruction. An instruction without a guard is counted with its basic block.
struct InstructionCounts {
  double warps = 0, lanes = 0;                  // that took part
  double requests = 0, sectors = 0, lines = 0;  // of global memory
  double partial_lines = 0, cycles = 0;         // likewise; cycles: of L1's pipe
  double of_one_word =
      0;  // of atomics in L2 and on other blocks: the most lanes of a request that mean one word
  double joined_lanes = 0;                       // of atomics in L2, for which another lane of the warp acts
  double remote_requests = 0, remote_lanes = 0;  // of atomics on other blocks of the cluster
  double remote_sectors = 0;                     // of the shared memory of other blocks
  double local_sectors = 0;                      // of the lanes' own memory
  double shared_requests = 0, wavefronts = 0, ideal_wavefronts = 0;
  double bytes = 0;                  // that its lanes move
  double trips = 0, trip_lanes = 0;  // of the loop of compare and swap that an atomic becomes

  void add(const InstructionCounts& other, double times);
  bool operator==(const InstructionCounts&) const = default;
};

struct Counts {
  explicit Counts(const Program& program)
      : instructions(program.instructions.size()),
        block_warps(program.blocks.size()),
        block_lanes(block_warps) {}

  std::vector<InstructionCounts> instructions;
  std::vector<double> block_warps, block_lanes;  // by basic block
  double divergent_branches = 0;

  double instructions_of_warps(const Program& program) const;  // of the PTX
  void add(const Counts& other, double times);
  bool operator==(const Counts&) const = default;
  void clear();
};

}  // namespace rooftile::ptx
