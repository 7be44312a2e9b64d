#include "analysis/ptx/program/instruction_flops.hpp"

#include "analysis/ptx/program/instruction_name.hpp"

namespace rooftile::ptx {

double lane_flops(const Instruction& x) {
  const bool is_float = x.type.kind == 'f' || x.type.kind == 'h' || x.type.kind == 'x';
  const int numbers = x.type.kind == 'x' ? 2 : 1;
  switch (is_float ? x.op : Op::other) {
    case Op::add:
    case Op::sub:
    case Op::mul:
      return numbers;
    case Op::fma:
    case Op::mad:
      return 2 * numbers;
    default:
      return 0;
  }
}

double warp_flops(const Instruction& x, std::string_view name) {
  constexpr double warps_of_group = 4;  // a wgmma is one of four warps together
  return x.op == Op::mma ? shape_flops(name) : x.op == Op::wgmma ? shape_flops(name) / warps_of_group : 0;
}

}  // namespace rooftile::ptx
