#include "analysis/ptx/program/load_rounds.hpp"

#include <algorithm>
#include <span>
#include <unordered_map>

namespace rooftile::ptx {
namespace {

bool waits_for_memory(const Instruction& x) {
  const bool loads = x.op == Op::ld || x.op == Op::atom || x.op == Op::cp_async;
  return loads && (x.space == Space::global || x.space == Space::generic || x.op == Op::cp_async);
}

}  // namespace

int load_rounds(const Program& program, const BasicBlock& block) {
  std::unordered_map<std::int32_t, int> round_of;  // by register
  int last = 0;
  for (const std::int32_t i : block.executed) {
    const Instruction& x = program.instructions[i];
    int round = 0;
    for (const Operand& operand : std::span(program.source(x), x.sources)) {
      const auto known = round_of.find(operand.index);
      const bool reads =
          operand.kind == Operand::Kind::reg || (operand.kind == Operand::Kind::address && operand.index >= 0);
      round = reads && known != round_of.end() ? std::max(round, known->second) : round;
    }
    if (waits_for_memory(x)) {
      last = std::max(last, ++round);
    }
    for (const Operand& operand : std::span(program.destination(x), x.destinations)) {
      if (operand.kind == Operand::Kind::reg) {
        round_of[operand.index] = round;
      }
    }
  }
  return last;
}

}  // namespace rooftile::ptx
