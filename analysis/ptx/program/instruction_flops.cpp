#include "analysis/ptx/program/instruction_flops.hpp"

#include <algorithm>
#include <array>

#include "analysis/ptx/program/instruction_name.hpp"

namespace rooftile::ptx {

namespace {

Arithmetic of_sequence(Op op, int bytes, bool approximate) {
  struct Sequence {
    Op op;
    int bytes;
    bool approximate;
    Arithmetic of_lane;
  };
  static constexpr std::array<Sequence, 8> sequences = {{{Op::div, 4, false, {0, 0, 5}},
                                                         {Op::div, 4, true, {0, 1, 0}},
                                                         {Op::rcp, 4, false, {1, 0, 2}},
                                                         {Op::sqrt, 4, false, {0, 2, 2}},
                                                         {Op::div, 8, false, {0, 1, 7}},
                                                         {Op::rcp, 8, false, {0, 0, 5}},
                                                         {Op::sqrt, 8, false, {0, 3, 5}},
                                                         {Op::rsqrt, 8, true, {0, 2, 3}}}};
  const auto found = std::ranges::find_if(sequences, [&](const Sequence& each) {
    return each.op == op && each.bytes == bytes && each.approximate == approximate;
  });
  return found == sequences.end() ? Arithmetic{} : found->of_lane;
}

bool is_fp16(const Instruction& x) {
  return x.type.kind == 'x' || x.type.bytes == 2;
}

}  // namespace

Arithmetic lane_arithmetic(const Instruction& x, std::string_view name) {
  const bool is_float = x.type.kind == 'f' || x.type.kind == 'h' || x.type.kind == 'x';
  switch (is_float ? x.op : Op::other) {
    case Op::add:
    case Op::sub:
      return {1, 0, 0};
    case Op::neg:
      return {x.is_stored_negation ? 1.0 : 0.0, 0, 0};
    case Op::set:  // counted as an addition in FP16 alone
      return {is_fp16(x) ? 1.0 : 0.0, 0, 0};
    case Op::mul:
      return {0, 1, 0};
    case Op::fma:
    case Op::mad:
      return {0, 0, 1};
    case Op::div:
    case Op::rcp:
    case Op::sqrt:
    case Op::rsqrt:
      return of_sequence(x.op, x.type.bytes, name.find(".rn") == std::string_view::npos);
    default:
      return {};
  }
}

double lane_flops(const Instruction& x, std::string_view name) {
  const Arithmetic of_lane = lane_arithmetic(x, name);
  return (is_fp16(x) ? 2 : 1) * (of_lane.add + of_lane.mul + 2 * of_lane.fma);
}

double warp_flops(const Instruction& x, std::string_view name) {
  constexpr double warps_of_group = 4;  // a wgmma is one of four warps together
  return x.op == Op::mma ? shape_flops(name) : x.op == Op::wgmma ? shape_flops(name) / warps_of_group : 0;
}

}  // namespace rooftile::ptx
