// Instructions of the machine that ptxas makes of each of PTX: an estimate.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/ptx/program/program.hpp"

namespace rooftile::ptx {

// By instruction; an estimate, for which copies between registers are none and 64 bits are two registers.
std::vector<std::uint8_t> machine_instructions(const Program& program);

}  // namespace rooftile::ptx
