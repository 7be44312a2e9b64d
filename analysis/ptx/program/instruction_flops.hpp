// Floating-point operations of an instruction; FMA is two.
#pragma once

#include <string_view>

#include "analysis/ptx/program/program.hpp"

namespace rooftile::ptx {

// Operations of one type, of one lane or of many.
struct Arithmetic {
  double add = 0, mul = 0, fma = 0;
};

// What each lane does that takes part. name: of the instruction. ptxas makes a sequence of a division or a
// root; its operations were counted on an H200, for numbers that are neither tiny nor huge.
Arithmetic lane_arithmetic(const Instruction& instruction, std::string_view name);
// In FP16 and BF16 an instruction counts for two numbers, as it does on the device, even where one is wanted.
double lane_flops(const Instruction& instruction, std::string_view name);
// On tensor cores, of each warp that takes part. name: of the instruction, which holds the shape.
double warp_flops(const Instruction& instruction, std::string_view name);

}  // namespace rooftile::ptx
