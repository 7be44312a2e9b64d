// Facts about a program that hold for every launch.
#pragma once

#include "analysis/ptx/program/program.hpp"

namespace rooftile::ptx {

// Cuts it into basic blocks, finds which instructions may decide an address or a branch (all others are counted
// alone: most arithmetic costs nothing), numbers their registers anew, and finds the loads of shared memory
// that ptxas makes one.
void analyse(Program& program);

// "kernel.cu:12", or "line 80 of the PTX".
std::string place_of(const Program& program, const Instruction& instruction);

}  // namespace rooftile::ptx
