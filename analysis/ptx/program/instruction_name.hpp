// Reads the name of a PTX instruction: "ld.global.nc.v4.f32".
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "analysis/ptx/program/program.hpp"

namespace rooftile::ptx {

// Its operation, types, space and modifiers; what is not known is Op::other. Operands are not filled in.
Instruction instruction_named(std::string_view name);

// "f32".
std::optional<Type> type_named(std::string_view name);

// How many of its operands are results, at most; a braced list counts as one.
int results_of(const Instruction& instruction, std::string_view name);

// 16, 8, 16 of a tensor instruction's "m16n8k16"; zeros where it names no shape.
std::array<int, 3> matrix_shape(std::string_view name);
// 2 m n k of a tensor instruction's shape, "m16n8k16"; 0 where it names none.
double shape_flops(std::string_view name);

}  // namespace rooftile::ptx
