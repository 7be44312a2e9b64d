#include "analysis/ptx/program/program_analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <unordered_map>

#include "analysis/ptx/program/loops.hpp"
#include "analysis/ptx/program/origins.hpp"
#include "analysis/ptx/program/wide_accesses.hpp"

namespace rooftile::ptx {
namespace {

bool ends_block(const Instruction& instruction) {
  constexpr std::array ends = {Op::bra, Op::brx, Op::exit, Op::trap, Op::bar, Op::barrier_cluster};
  return std::ranges::find(ends, instruction.op) != ends.end();
}

void cut_into_blocks(Program& program) {
  auto& instructions = program.instructions;
  const auto count = static_cast<std::int32_t>(instructions.size());
  std::vector<bool> begins(instructions.size() + 1);
  begins[0] = true;
  for (std::int32_t i = 0; i < count; ++i) {
    if (instructions[i].target >= 0) {
      begins[instructions[i].target] = true;
    }
    if (ends_block(instructions[i])) {
      begins[i + 1] = true;
    }
  }
  std::vector<std::int32_t> block_at(instructions.size() + 1);
  for (std::int32_t i = 0; i < count; ++i) {
    if (begins[i]) {
      program.blocks.push_back({.begin = i, .end = i});
    }
    block_at[i] = static_cast<std::int32_t>(program.blocks.size()) - 1;
    program.blocks.back().end = i + 1;
  }
  block_at[count] =
      static_cast<std::int32_t>(program.blocks.size());  // behind the end: a lane there has exited
  for (Instruction& instruction : instructions) {
    instruction.target = instruction.target >= 0 ? block_at[instruction.target] : -1;
  }
}

std::span<const Operand> sources(const Program& program, const Instruction& instruction) {
  return {program.source(instruction), instruction.sources};
}

std::span<const Operand> destinations(const Program& program, const Instruction& instruction) {
  return {program.destination(instruction), instruction.destinations};
}

bool is_memory(const Instruction& instruction) {
  constexpr std::array memory = {Op::ld,      Op::st,       Op::atom,     Op::red,     Op::cp_async,
                                 Op::cp_bulk, Op::ldmatrix, Op::stmatrix, Op::mbarrier};
  return std::ranges::find(memory, instruction.op) != memory.end() && instruction.space != Space::param &&
         !instruction.has(of_call);
}

bool reads_memory(const Instruction& instruction) {
  return instruction.op == Op::ld || instruction.op == Op::atom || instruction.op == Op::ldmatrix;
}

// A negation is part of the instruction that computes with it. What is stored has none.
void mark_stored_negations(Program& program) {
  std::set<std::int32_t> stored;
  for (const Instruction& x : program.instructions) {
    for (const Operand& operand : sources(program, x)) {
      if ((x.op == Op::st || x.op == Op::shfl) && operand.kind == Operand::Kind::reg) {
        stored.insert(operand.index);
      }
    }
  }
  for (Instruction& x : program.instructions) {
    x.is_stored_negation = x.op == Op::neg && x.type.kind == 'f' && x.type.bytes > 2 && x.destinations > 0 &&
                           stored.contains(program.destination(x)->index);
  }
}

// Registers that decide an address, a predicate or a branch, back from these to what they are made of; and the
// memories whose contents do.
class Slice {
 public:
  Slice(Program& program, const Origins& origins)
      : program_(program), origins_(origins), needed_(static_cast<std::size_t>(program.registers)) {}

  void mark() {
    for (const Instruction& instruction : program_.instructions) {
      need_addresses(instruction);
    }
    while (grown_) {
      grown_ = false;
      // Backwards: most of what a register is made of stands before it.
      for (auto at = program_.instructions.rbegin(); at != program_.instructions.rend(); ++at) {
        follow(*at);
      }
    }
    for (Instruction& instruction : program_.instructions) {
      instruction.decides = gives_needed(instruction);
      instruction.stores = stores_needed(instruction);
      instruction.by_data = origins_.is_made_of_data(instruction);
      instruction.at_data = origins_.is_address_made_of_data(instruction);
      instruction.executed = is_memory(instruction) || instruction.guard >= 0 || instruction.decides ||
                             instruction.stores || ends_block(instruction) || instruction.op == Op::call ||
                             instruction.op == Op::cp_async_group;
    }
  }

 private:
  void need(std::int32_t reg) {
    if (reg >= 0 && !needed_[reg]) {
      needed_[reg] = true;
      grown_ = true;
    }
  }
  void need_all_sources(const Instruction& instruction) {
    for (const Operand& operand : sources(program_, instruction)) {
      if (operand.kind != Operand::Kind::special) {
        need(operand.index);
      }
    }
  }
  void need_addresses(const Instruction& instruction) {
    need(instruction.guard);
    const bool all =
        instruction.op == Op::cp_async || instruction.op == Op::cp_bulk || instruction.op == Op::bar;
    const bool of_wmma = (instruction.op == Op::ldmatrix || instruction.op == Op::stmatrix) &&
                         program_.name_of(instruction).starts_with("wmma");
    if (of_wmma && instruction.sources > 1 &&
        sources(program_, instruction).back().kind == Operand::Kind::reg) {
      need(sources(program_, instruction).back().index);
    }
    for (const Operand& operand : sources(program_, instruction)) {
      if (all || operand.kind == Operand::Kind::address) {
        need(operand.kind == Operand::Kind::special ? -1 : operand.index);
      }
    }
  }
  bool gives_needed(const Instruction& instruction) const {
    return std::ranges::any_of(destinations(program_, instruction), [&](const Operand& operand) {
      return operand.kind == Operand::Kind::reg && needed_[operand.index];
    });
  }
  void follow(const Instruction& instruction) {
    if (gives_needed(instruction)) {
      need_all_sources(instruction);
      if (reads_memory(instruction) && !is_written_by_others(instruction)) {
        need_contents(instruction.space, origins_.pointers_of(instruction));
      }
    }
    if (stores_needed(instruction)) {
      need_all_sources(instruction);
    }
  }
  bool is_written_by_others(const Instruction& x) const {
    return x.space == Space::global && loads_anew(program_, x);
  }
  bool stores_needed(const Instruction& x) const {
    return writes_memory(x) &&
           (needed_contents_[static_cast<std::size_t>(x.space)] & origins_.pointers_of(x)) != 0;
  }
  // A generic address may lie anywhere; parameters and constants are never stored to.
  void need_contents(Space space, std::uint64_t pointers) {
    if (space == Space::param || space == Space::constant) {
      return;
    }
    for (const Space each : {Space::generic, Space::global, Space::shared, Space::local}) {
      std::uint64_t& needed = needed_contents_[static_cast<std::size_t>(each)];
      if ((each == space || each == Space::generic || space == Space::generic) && (pointers & ~needed) != 0) {
        program_.contents[static_cast<std::size_t>(each)] = true;
        needed |= pointers;
        grown_ = true;
      }
    }
  }

  Program& program_;
  const Origins& origins_;
  std::vector<bool> needed_;
  std::array<std::uint64_t, 7> needed_contents_{};  // by Space: of the buffers of which parameters
  bool grown_ = true;
};

// A constant is as wide as the registers beside it; the third source of a wide mad is as wide as its result.
std::uint64_t constant_value(const Instruction& instruction, std::uint64_t value) {
  const int bytes = instruction.from.bytes;
  return bytes >= 8 || bytes == 0 || instruction.has(wide) ? value
                                                           : value & ((std::uint64_t{1} << 8 * bytes) - 1);
}

// Registers and constants of executed instructions alone, from 0.
void number_registers(Program& program) {
  std::vector<std::int32_t> numbers(static_cast<std::size_t>(program.registers), -1);
  std::unordered_map<std::uint64_t, std::int32_t> constants;
  std::int32_t next = 0;
  const auto renumber = [&](std::int32_t& reg) {
    if (reg >= 0) {
      next += numbers[reg] < 0 ? 1 : 0;
      reg = numbers[reg] = numbers[reg] < 0 ? next - 1 : numbers[reg];
    }
  };
  for (Instruction& instruction : program.instructions) {
    renumber(instruction.guard);
    if (!instruction.executed) {
      continue;
    }
    for (std::uint32_t i = 0; i < std::uint32_t{instruction.destinations} + instruction.sources; ++i) {
      Operand& operand = program.operands[instruction.first + i];
      if (operand.kind == Operand::Kind::reg || operand.kind == Operand::Kind::address) {
        renumber(operand.index);
      } else if (operand.kind == Operand::Kind::immediate) {
        const std::uint64_t value = constant_value(instruction, operand.value);
        const auto known = constants.emplace(value, static_cast<std::int32_t>(constants.size()));
        program.constants.resize(constants.size(), value);
        operand.index = known.first->second;
      }
    }
  }
  program.registers = next;
  for (BasicBlock& block : program.blocks) {
    for (std::int32_t i = block.begin; i < block.end; ++i) {
      if (program.instructions[i].executed) {
        block.executed.push_back(i);
      }
    }
  }
}

}  // namespace

void analyse(Program& program) {
  cut_into_blocks(program);
  mark_stored_negations(program);
  Slice(program, Origins(program)).mark();
  join_wide_accesses(program);
  number_registers(program);
}

std::string place_of(const Program& program, const Instruction& x) {
  const auto file = static_cast<std::size_t>(x.source.file);
  if (x.source.line == 0 || file >= program.files.size()) {
    return fmt::format("line {} of the PTX", x.text_line);
  }
  const std::string& path = program.files[file];
  return fmt::format("{}:{}", path.substr(path.find_last_of('/') + 1), x.source.line);
}

}  // namespace rooftile::ptx
