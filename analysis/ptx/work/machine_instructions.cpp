#include "analysis/ptx/work/machine_instructions.hpp"

#include <algorithm>
#include <set>
#include <span>

namespace rooftile::ptx {
namespace {

bool is_whole_of_64_bits(const Type& type) {
  return type.bytes == 8 && (type.kind == 's' || type.kind == 'u' || type.kind == 'b');
}

class Estimate {
 public:
  explicit Estimate(const Program& program) : program_(program) {}

  std::vector<std::uint8_t> counts() {
    for (const Instruction& x : program_.instructions) {
      if ((x.op == Op::mul || x.op == Op::shl) && is_whole_of_64_bits(x.type)) {
        products_.insert(program_.destination(x)->index);
      }
    }
    std::vector<std::uint8_t> counts(program_.instructions.size(), 1);
    for (const BasicBlock& block : program_.blocks) {
      products_here_.clear();
      made_here_.clear();
      for (std::int32_t i = block.begin; i < block.end; ++i) {
        counts[i] = count_of(program_.instructions[i]);
        note_results(program_.instructions[i]);
      }
    }
    return counts;
  }

 private:
  std::uint8_t count_of(const Instruction& x) const {
    const bool is_long = is_whole_of_64_bits(x.type);
    switch (x.op) {
      case Op::mov:
        return program_.source(x)->kind == Operand::Kind::reg ? 0 : 1;
      case Op::and_:
      case Op::or_:
      case Op::xor_:
      case Op::not_:
        return x.type.kind == 'p' ? 0 : is_long ? 2 : 1;  // a comparison takes another predicate in
      case Op::add:
      case Op::sub:
        return is_long ? count_of_long_sum(x) : 1;
      case Op::shl:
        return is_long ? 0 : 1;  // LEA shifts what it adds
      case Op::mul:
        return is_long && !x.has(wide) ? 4 : 1;
      default:
        return 1;
    }
  }

  // IMAD.WIDE multiplies and adds: also a step through rows, whose product was made before the loop. Constants
  // are mostly taken in by an address.
  std::uint8_t count_of_long_sum(const Instruction& x) const {
    const auto adds = [&](const auto& is_it) {
      return std::ranges::any_of(std::span(program_.source(x), x.sources), is_it);
    };
    if (adds([](const Operand& operand) { return operand.kind == Operand::Kind::immediate; })) {
      return 1;
    }
    if (adds([&](const Operand& operand) { return is_in(products_here_, operand); })) {
      return 0;
    }
    const bool steps = adds([&](const Operand& operand) {
      return is_in(products_, operand) && !made_here_.contains(operand.index);
    });
    return steps ? 1 : 2;
  }

  static bool is_in(const std::set<std::int32_t>& registers, const Operand& operand) {
    return operand.kind == Operand::Kind::reg && operand.index >= 0 && registers.contains(operand.index);
  }

  void note_results(const Instruction& x) {
    for (const Operand& operand : std::span(program_.destination(x), x.destinations)) {
      made_here_.insert(operand.index);
      products_here_.erase(operand.index);
      if (x.op == Op::mul) {
        products_here_.insert(operand.index);
      }
    }
  }

  const Program& program_;
  std::set<std::int32_t> products_;                   // registers that a multiple of something is in
  std::set<std::int32_t> made_here_, products_here_;  // in the block so far
};

}  // namespace

std::vector<std::uint8_t> machine_instructions(const Program& program) {
  return Estimate(program).counts();
}

}  // namespace rooftile::ptx
