// Instructions of the machine that ptxas makes of each of PTX: an estimate.
#pragma once

#include "analysis/ptx/program/program.hpp"

namespace rooftile::ptx {

// Gives each instruction its number: none for a copy between registers, and for what the instruction that uses
// it takes in; two where 64 bits are two registers; many for a division. Registers must still have the numbers
// that all instructions share.
void estimate_machine_instructions(Program& program);

}  // namespace rooftile::ptx
