// Floating-point operations of an instruction; FMA is two.
#pragma once

#include <string_view>

#include "analysis/ptx/program/program.hpp"

namespace rooftile::ptx {

double lane_flops(const Instruction& instruction);  // of each lane that takes part
// On tensor cores, of each warp that takes part. name: of the instruction, which holds the shape.
double warp_flops(const Instruction& instruction, std::string_view name);

}  // namespace rooftile::ptx
