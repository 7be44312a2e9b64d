// One instruction of a warp that moves no memory: what comes of the bits of its sources.
#pragma once

#include <cstdint>

#include "analysis/ptx/lanes/lanes.hpp"
#include "analysis/ptx/program/program.hpp"

namespace rooftile::ptx {

// The operation by which an atomic or a reduction combines two values, from the letter of its mode. exch and
// cas: Op::mov.
Op combining(std::uint8_t mode);

// Whether compute() knows it.
bool is_computed(const Instruction& instruction);
// Writes the first `count` lanes, 1 or 32. predicates: the masks among its sources, in order.
void compute(const Instruction& instruction, int count, const Sources& sources, std::uint32_t predicate,
             std::uint64_t* result);
// The lanes of which a comparison holds.
std::uint32_t compared(const Instruction& instruction, int count, const Sources& sources);

}  // namespace rooftile::ptx
