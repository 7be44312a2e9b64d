// Instructions that move, count or combine bits.
#pragma once

#include "analysis/ptx/lanes/lanes.hpp"
#include "analysis/ptx/program/program.hpp"

namespace rooftile::ptx {

// shl and shr.
void compute_shift(const Instruction& instruction, const ForEachLane& for_each_lane, const Sources& sources);
// and, or, xor, not, cnot, popc, clz, brev, bfind, bfe, bfi, prmt, lop3, shf.
void compute_bits(const Instruction& instruction, const ForEachLane& for_each_lane, const Sources& sources);

}  // namespace rooftile::ptx
