#include "analysis/ptx/program/wide_accesses.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <vector>

namespace rooftile::ptx {
namespace {

// For each register the power of two that all its values are multiples of, whatever thread and data.
class Alignments {
 public:
  explicit Alignments(const Program& program)
      : program_(program), zeros_(static_cast<std::size_t>(program.registers), most) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const Instruction& x : program.instructions) {
        const int made = of_result(x);
        for (int i = 0; i < x.destinations; ++i) {
          const Operand& result = program.destination(x)[i];
          if (result.kind == Operand::Kind::reg && made < zeros_[result.index]) {
            zeros_[result.index] = made;
            changed = true;
          }
        }
      }
    }
  }

  // The zeros that its numbers end with, in base 2.
  int zeros(std::int32_t reg) const { return reg < 0 ? most : zeros_[reg]; }

 private:
  static constexpr int most = 64;

  int of(const Operand& operand) const {
    return operand.kind == Operand::Kind::reg         ? zeros_[operand.index]
           : operand.kind == Operand::Kind::immediate ? std::countr_zero(operand.value)
                                                      : 0;
  }

  static bool is_whole(const Type& type) { return type.kind == 's' || type.kind == 'u' || type.kind == 'b'; }

  // The sources that of_result() looks at; the text of a stranger may have fewer.
  static int looked_at(Op op) {
    return op == Op::mad ? 3 : op == Op::cvt || op == Op::mov || op == Op::cvta || op == Op::neg ? 1 : 2;
  }

  int of_result(const Instruction& x) const {
    const Operand* a = program_.source(x);
    if (!is_whole(x.type) || x.destinations != 1 || x.sources < looked_at(x.op)) {
      return 0;
    }
    switch (x.op) {
      case Op::cvt:
        return is_whole(x.from) ? of(a[0]) : 0;
      case Op::mov:
      case Op::cvta:
      case Op::neg:
        return x.sources == 1 ? of(a[0]) : 0;
      case Op::add:
      case Op::sub:
      case Op::or_:
      case Op::xor_:
      case Op::min:
      case Op::max:
      case Op::selp:
        return std::min(of(a[0]), of(a[1]));
      case Op::and_:
        return std::max(of(a[0]), of(a[1]));
      case Op::mul:
        return x.has(high) ? 0 : std::min(most, of(a[0]) + of(a[1]));
      case Op::mad:
        return x.has(high) ? 0 : std::min(of(a[0]) + of(a[1]), of(a[2]));
      case Op::shl:
        return a[1].kind == Operand::Kind::immediate
                   ? std::min(most, of(a[0]) + static_cast<int>(std::min<std::uint64_t>(a[1].value, most)))
                   : of(a[0]);
      default:
        return 0;
    }
  }

  const Program& program_;
  std::vector<int> zeros_;
};

class WideAccesses {
 public:
  explicit WideAccesses(Program& program) : program_(program), alignments_(program) {}

  void find() {
    for (const BasicBlock& block : program_.blocks) {
      for (std::int32_t i = block.begin; i < block.end; ++i) {
        look_at(i);
      }
      join();
    }
  }

 private:
  void look_at(std::int32_t i) {
    const Instruction& instruction = program_.instructions[i];
    if (instruction.space == Space::shared) {
      const bool writes = writes_memory(instruction);
      const std::int32_t base = is_of_a_word(instruction) ? address_of(instruction).index : other;
      if (writes != writes_ || (writes && !at_.contains(base))) {
        join();
      }
      writes_ = writes;
      if (base != other) {
        at_[base].emplace(static_cast<std::int64_t>(address_of(instruction).value), i);
      }
    }
    for (int k = 0; k < instruction.destinations; ++k) {
      const Operand& result = program_.destination(instruction)[k];
      at_.erase(result.kind == Operand::Kind::reg ? result.index : other);
    }
  }

  static bool is_of_a_word(const Instruction& x) {
    return (x.op == Op::ld || x.op == Op::st) && x.vector == 1 && x.type.bytes == 4 && x.guard < 0 &&
           x.sources > 0;
  }
  const Operand& address_of(const Instruction& x) const { return *program_.source(x); }

  void join() {
    for (const auto& [base, at] : at_) {
      for (const int count : {4, 2}) {
        for (const auto& [offset, first] : at) {
          if (offset % (4 * count) == 0 && 1 << std::min(alignments_.zeros(base), 4) >= 4 * count) {
            join_at(at, offset, count);
          }
        }
      }
    }
    at_.clear();
  }

  void join_at(const std::map<std::int64_t, std::int32_t>& at, std::int64_t offset, int count) {
    std::vector<std::int32_t> group;
    for (int k = 0; k < count; ++k) {
      const auto found = at.find(offset + 4 * k);
      if (found != at.end() && program_.instructions[found->second].wide_lead < 0) {
        group.push_back(found->second);
      }
    }
    if (static_cast<int>(group.size()) == count) {
      for (const std::int32_t i : group) {
        program_.instructions[i].wide_lead = group.front();
        program_.instructions[i].wide_bytes = static_cast<std::uint8_t>(4 * count);
      }
    }
  }

  static constexpr std::int32_t other = -2;  // -1 is an address without a register
  Program& program_;
  const Alignments alignments_;
  bool writes_ = false;  // those that follow, by address register and offset
  std::map<std::int32_t, std::map<std::int64_t, std::int32_t>> at_;
};

}  // namespace

void join_wide_accesses(Program& program) {
  WideAccesses(program).find();
}

}  // namespace rooftile::ptx
