// cvt and cvta, and the values that bits stand for.
#pragma once

#include "analysis/ptx/lanes/lanes.hpp"
#include "analysis/ptx/program/program.hpp"

namespace rooftile::ptx {

// f32 and f64, which are computed; narrower ones are only converted.
bool is_float(Type type);
// FP64, FP32, BF16 or FP16.
double floating_value(Type type, std::uint64_t bits);
// A narrow signed value as a register of 32 bits holds it.
std::uint64_t sign_extended(std::uint64_t value, Type type);
void convert(const Instruction& instruction, const ForEachLane& for_each_lane, const Sources& sources);
void convert_address(const Instruction& instruction, const ForEachLane& for_each_lane, const Sources& sources);

}  // namespace rooftile::ptx
