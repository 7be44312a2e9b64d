#include "analysis/ptx/program/machine_instructions.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <vector>

namespace rooftile::ptx {
namespace {

bool is_whole(const Type& type) {
  return type.kind == 's' || type.kind == 'u' || type.kind == 'b';
}
bool is_long(const Type& type) {
  return type.bytes == 8 && is_whole(type);
}
bool is_short(const Type& type) {
  return type.bytes <= 4 && is_whole(type);
}
bool is_sum(const Instruction& x) {
  return x.op == Op::add || x.op == Op::sub;
}
bool is_logic(const Instruction& x) {
  return x.op == Op::and_ || x.op == Op::or_ || x.op == Op::xor_;
}

// How often the code uses a register, and for what.
struct Uses {
  int definitions = 0, uses = 0, as_address = 0, as_half = 0;  // as_half: of 64 bits, the lower 32 alone
  std::int32_t last_user = -1;
};

// The machine has no instruction for some arithmetic: ptxas makes a sequence, a loop or a call of it. These
// lengths are estimates.
double of_sequence(const Instruction& x, std::string_view name) {
  const bool approximate = name.find(".approx") != std::string_view::npos,
             flushes = name.find(".ftz") != std::string_view::npos;
  switch (x.op) {
    case Op::div:
    case Op::rem:
      return is_whole(x.type) ? (x.type.bytes == 8 ? 70 : 16) : approximate ? 4 : x.type.bytes == 8 ? 16 : 9;
    case Op::ex2:
    case Op::lg2:
    case Op::rcp:
    case Op::rsqrt:
    case Op::sqrt:
      return x.type.bytes == 8 ? 12 : !approximate ? 8 : flushes ? 1 : 4;
    case Op::sin:
    case Op::cos:
      return 2;
    default:
      return 1;
  }
}

class Estimate {
 public:
  explicit Estimate(Program& program)
      : program_(program),
        uses_(static_cast<std::size_t>(program.registers)),
        is_full_(program.instructions.size()) {
    for (std::size_t i = 0; i < program.instructions.size(); ++i) {
      note_uses(static_cast<std::int32_t>(i));
    }
  }

  // A kernel begins with its stack and a descriptor of global memory.
  void run() {
    for (const BasicBlock& block : program_.blocks) {
      products_here_.clear();
      made_here_.clear();
      loaded_here_.clear();
      is_predicated_ = number_of(block) > 0 && is_skipped_over(number_of(block) - 1);
      for (std::int32_t i = block.begin; i < block.end; ++i) {
        Instruction& x = program_.instructions[i];
        x.machine_instructions =
            static_cast<float>((is_taken_in(i, block) ? 0 : count_of(i, block)) + loads_of_parameters(x));
        note_results(x);
      }
    }
    if (!program_.instructions.empty()) {
      program_.instructions.front().machine_instructions += 2;
    }
  }

 private:
  std::span<const Operand> sources(const Instruction& x) const { return {program_.source(x), x.sources}; }
  std::span<const Operand> results(const Instruction& x) const {
    return {program_.destination(x), x.destinations};
  }

  void note_uses(std::int32_t number) {
    const Instruction& x = program_.instructions[number];
    const bool takes_half = x.op == Op::cvt && x.type.bytes <= 4 && is_whole(x.type) && is_long(x.from);
    for (const Operand& operand : sources(x)) {
      const bool address = operand.kind == Operand::Kind::address;
      if ((address || operand.kind == Operand::Kind::reg) && operand.index >= 0) {
        Uses& uses = uses_[operand.index];
        ++uses.uses;
        uses.as_address += address ? 1 : 0;
        uses.as_half += takes_half ? 1 : 0;
        uses.last_user = number;
      }
    }
    for (const Operand& operand : results(x)) {
      if (operand.kind == Operand::Kind::reg) {
        ++uses_[operand.index].definitions;
      }
    }
    const bool passes_on = x.op == Op::cvta || x.op == Op::mov || x.op == Op::cvt;
    if (x.destinations == 1 &&
        (x.space == Space::param || (passes_on && x.sources > 0 && is_in(parameters_, sources(x)[0])))) {
      parameters_.insert(results(x)[0].index);
    }
    if ((x.op == Op::mul || x.op == Op::shl) && is_long(x.type) && x.destinations > 0) {
      products_.insert(results(x)[0].index);
    }
  }

  const Uses* uses_of_result(const Instruction& x) const {
    return x.destinations == 1 && results(x)[0].kind == Operand::Kind::reg ? &uses_[results(x)[0].index]
                                                                           : nullptr;
  }

  // IADD3 adds three, LEA a shifted one, IMAD a product, LOP3 joins three; the size of a copy becomes its
  // predicate; an address has a constant of its own.
  bool is_taken_in(std::int32_t i, const BasicBlock& block) {
    const Instruction& x = program_.instructions[i];
    const Uses* result = uses_of_result(x);
    if (!result || x.guard >= 0) {
      return false;
    }
    if (is_sum(x) && is_whole(x.type) && has_constant(x) && result->uses > 0 &&
        result->as_address == result->uses) {
      return true;
    }
    const std::int32_t user = result->last_user;
    if (result->uses != 1 || result->definitions != 1 || user <= i || user >= block.end) {
      return false;
    }
    const Instruction& of = program_.instructions[user];
    const bool is_short_here = is_short(x.type) && is_short(of.type);
    const bool joins =
        (is_logic(x) && is_logic(of)) || (is_sum(of) && (is_sum(x) || x.op == Op::shl || x.op == Op::mul));
    if (x.op == Op::selp && of.op == Op::cp_async) {
      return true;
    }
    if ((x.op == Op::neg || x.op == Op::abs) && x.type.kind == 'f') {
      return true;
    }
    if (!is_short_here || !joins || is_full_[user]) {
      return false;
    }
    is_full_[user] = !is_full_[i] || !is_sum(x);
    return !is_full_[i];
  }

  bool has_constant(const Instruction& x) const {
    return std::ranges::any_of(sources(x),
                               [](const Operand& operand) { return operand.kind == Operand::Kind::immediate; });
  }

  double count_of(std::int32_t i, const BasicBlock& block) const {
    const Instruction& x = program_.instructions[i];
    const bool is_64 = is_long(x.type);
    const Uses* result = uses_of_result(x);
    const bool half = is_64 && result && result->uses > 0 && result->as_half == result->uses;
    if (x.has(of_call)) {
      return 0;
    }
    switch (x.op) {
      case Op::mov:
        return sources(x)[0].kind == Operand::Kind::special                                          ? 1
               : sources(x)[0].kind == Operand::Kind::immediate && result && result->definitions > 1 ? 0.5
                                                                                                     : 0;
      case Op::cvta:
        return 0;
      case Op::cvt:
        return is_whole(x.type) && is_whole(x.from) && (x.type.bytes <= x.from.bytes || x.from.kind == 'u') ? 0
                                                                                                            : 1;
      case Op::and_:
      case Op::or_:
      case Op::xor_:
      case Op::not_:
        return x.type.kind == 'p' ? 0 : is_64 ? 2 : 1;  // a comparison takes another predicate in
      case Op::add:
      case Op::sub:
        return half ? (has_constant(x) ? 0 : 1) : is_64 ? count_of_long_sum(x) : 1;
      case Op::shl:
        return is_64 ? 0 : 1;  // LEA shifts what it adds
      case Op::shr:
        return is_64 ? 2 : 1;
      case Op::mapa:
        return 3;
      case Op::wgmma:
        return 5;  // it names its matrices in uniform registers
      case Op::ldmatrix:
      case Op::stmatrix:
      case Op::mma:  // wmma's are several of the machine's: estimates
        return !program_.name_of(x).starts_with("wmma") ? 1 : x.op == Op::mma ? 2 : 6;
      case Op::mul:
        return is_64 && !x.has(wide) ? 4 : 1;
      case Op::setp:
        return is_long(x.from) ? 2 : 1;
      case Op::bra:
        return count_of_branch(x, number_of(block));
      case Op::ld:
        return x.wide_lead >= 0 && x.wide_lead != i ? 0 : 1;
      default:
        return of_sequence(x, program_.name_of(x));
    }
  }

  std::int32_t number_of(const BasicBlock& block) const {
    return static_cast<std::int32_t>(&block - program_.blocks.data());
  }

  // A few instructions that a branch leads around become guarded ones instead.
  bool is_skipped_over(std::int32_t number) const {
    constexpr int few = 12;
    const BasicBlock& block = program_.blocks[number];
    const Instruction& last = program_.instructions[block.end - 1];
    if (last.op != Op::bra || last.guard < 0 || last.target != number + 2) {
      return false;
    }
    const BasicBlock& over = program_.blocks[number + 1];
    const Op end = program_.instructions[over.end - 1].op;
    return over.end - over.begin <= few && end != Op::bra && end != Op::bar && end != Op::exit;
  }

  // Where the lanes of a warp may part, ptxas often adds BSSY and BSYNC, which let them meet again: one more
  // instruction on average.
  double count_of_branch(const Instruction& x, std::int32_t block) const {
    return is_skipped_over(block) || (x.guard < 0 && x.target == block + 1) ? 0
           : x.guard >= 0 && x.target > block                               ? 2
                                                                            : 1;
  }

  // A parameter that guarded instructions need is loaded beside them.
  double loads_of_parameters(const Instruction& x) {
    double loads = 0;
    for (const Operand& operand : sources(x)) {
      loads +=
          is_predicated_ && is_in(parameters_, operand) && loaded_here_.insert(operand.index).second ? 1 : 0;
    }
    return loads;
  }

  // The address of a variable takes three. Two registers are set at once where many are set alike.
  double count_of_move(std::int32_t i, bool is_one_of_many) const {
    const Operand& from = sources(program_.instructions[i])[0];
    if (from.kind == Operand::Kind::special || from.kind == Operand::Kind::immediate) {
      return from.kind == Operand::Kind::special ? 1
             : from.index == Operand::symbol     ? 3
             : !is_one_of_many                   ? 0
             : is_move(i - 1) && is_move(i + 1)  ? 0.5
                                                 : 1;
    }
    return is_one_of_many ? 1 : 0;
  }
  bool is_move(std::int32_t i) const {
    return i >= 0 && i < static_cast<std::int32_t>(program_.instructions.size()) &&
           program_.instructions[i].op == Op::mov;
  }

  // IMAD.WIDE multiplies and adds: also a step through rows, whose product was made before the loop. Constants
  // are mostly taken in by an address.
  double count_of_long_sum(const Instruction& x) const {
    const auto adds = [&](const auto& is_it) { return std::ranges::any_of(sources(x), is_it); };
    if (has_constant(x)) {
      return uses_[results(x)[0].index].definitions > 1 ? 2 : 1;
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
    for (const Operand& operand : results(x)) {
      made_here_.insert(operand.index);
      products_here_.erase(operand.index);
      if (x.op == Op::mul) {
        products_here_.insert(operand.index);
      }
    }
  }

  Program& program_;
  std::vector<Uses> uses_;             // by register
  std::vector<bool> is_full_;          // by instruction: it has taken another one in
  std::set<std::int32_t> products_;    // registers that a multiple of something is in
  std::set<std::int32_t> parameters_;  // registers that a parameter of the kernel is in
  std::set<std::int32_t> made_here_, products_here_, loaded_here_;  // in the block so far
  bool is_predicated_ = false;                                      // the block
};

}  // namespace

void estimate_machine_instructions(Program& program) {
  Estimate(program).run();
}

}  // namespace rooftile::ptx
