#include "analysis/ptx/program/loops.hpp"

#include <algorithm>
#include <set>

namespace rooftile::ptx {
namespace {

bool compares(const Instruction& x) {
  return x.decides && (x.op == Op::setp || x.op == Op::min || x.op == Op::max || x.op == Op::set);
}

// Blocks of the loop that every trip comes through: no branch before them leads past them.
std::vector<bool> always_entered(const Program& program, const Loop& loop) {
  std::vector<bool> always(static_cast<std::size_t>(loop.last - loop.header + 1), true);
  for (std::int32_t from = loop.header; from <= loop.last; ++from) {
    const Instruction& x = program.instructions[program.blocks[from].end - 1];
    const bool leaves = x.target > loop.last;  // and comes to no other trip
    for (std::int32_t past = from + 1; !leaves && past < x.target; ++past) {
      always[past - loop.header] = false;
    }
  }
  return always;
}

// Walks a trip in the order of the text.
class CarriedRegisters {
 public:
  CarriedRegisters(const Program& program, const Loop& loop) : program_(program), loop_(loop) {}

  std::vector<std::int32_t> find() {
    const std::vector<bool> always = always_entered(program_, loop_);
    for (std::int32_t block = loop_.header; block <= loop_.last; ++block) {
      const std::set<std::int32_t> before = written_first_;
      for (const std::int32_t i : program_.blocks[block].executed) {
        look_at(program_.instructions[i]);
      }
      if (!always[block - loop_.header]) {
        written_first_ = before;
      }
    }
    std::vector<std::int32_t> carried;
    std::ranges::set_intersection(read_first_, written_, std::back_inserter(carried));
    return carried;
  }

 private:
  void read(std::int32_t reg) {
    if (reg >= 0 && !written_first_.contains(reg)) {
      read_first_.insert(reg);
    }
  }
  // One with a guard may leave its result as it was.
  void look_at(const Instruction& x) {
    read(x.guard);
    const bool reads_all = x.decides || x.op == Op::cp_async || x.op == Op::bar;
    for (int i = 0; i < x.sources; ++i) {
      const Operand& source = program_.source(x)[i];
      const bool read_here =
          source.kind == Operand::Kind::address || (source.kind == Operand::Kind::reg && reads_all);
      read(read_here ? source.index : -1);
    }
    for (int i = 0; x.decides && i < x.destinations; ++i) {
      const Operand& result = program_.destination(x)[i];
      if (result.kind == Operand::Kind::reg) {
        x.guard < 0 ? static_cast<void>(written_first_.insert(result.index)) : read(result.index);
        written_.insert(result.index);
      }
    }
  }

  const Program& program_;
  const Loop& loop_;
  std::set<std::int32_t> read_first_, written_first_, written_;
};

bool polls(const Program& program, const Loop& loop) {
  bool any = false;
  for (std::int32_t block = loop.header; block <= loop.last; ++block) {
    for (const std::int32_t i : program.blocks[block].executed) {
      const Instruction& x = program.instructions[i];
      if (writes_memory(x) || x.op == Op::bar || (x.op == Op::ld && !loads_anew(program, x))) {
        return false;
      }
      any = any || loads_anew(program, x);
    }
  }
  return any && loop.by_data && loop.carried.empty();
}

void fill_in(const Program& program, Loop& loop) {
  for (std::int32_t block = loop.header; block <= loop.last; ++block) {
    for (const std::int32_t i : program.blocks[block].executed) {
      const Instruction& x = program.instructions[i];
      loop.by_data = loop.by_data || (x.decides && x.by_data);
      const bool accesses = x.space != Space::none && x.space != Space::param && x.op != Op::cvta;
      if (accesses) {
        loop.accesses.push_back(i);
      }
      if (accesses || x.guard >= 0) {
        loop.counted.push_back(i);
      }
    }
  }
  loop.carried = CarriedRegisters(program, loop).find();
  loop.polls = polls(program, loop);
}

}  // namespace

Loops::Loops(const Program& program)
    : at(program.blocks.size(), -1),
      is_comparison(program.instructions.size()),
      is_predicate(static_cast<std::size_t>(program.registers)) {
  for (std::size_t block = 0; block < program.blocks.size(); ++block) {
    const std::int32_t target = program.instructions[program.blocks[block].end - 1].target;
    if (target < 0 || target > static_cast<std::int32_t>(block)) {
      continue;
    }
    if (at[target] < 0) {
      at[target] = static_cast<std::int32_t>(all.size());
      all.push_back({target, static_cast<std::int32_t>(block), {}, {}, {}});
    }
    all[at[target]].last = static_cast<std::int32_t>(block);
  }
  for (Loop& loop : all) {
    fill_in(program, loop);
  }
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    const Instruction& x = program.instructions[i];
    is_comparison[i] = compares(x);
    for (int k = 0; x.executed && k < x.destinations; ++k) {
      const Operand& result = program.destination(x)[k];
      const bool predicate =
          x.op == Op::setp || x.type.kind == 'p' || (k == 1 && x.op == Op::shfl) || x.op == Op::vote;
      if (result.kind == Operand::Kind::reg && predicate) {
        is_predicate[result.index] = true;
      }
    }
  }
}

bool loads_anew(const Program& program, const Instruction& x) {
  const std::string& name = program.name_of(x);
  const auto has = [&](const char* word) { return name.find(word) != std::string::npos; };
  return x.op == Op::ld && (has(".volatile") || has(".acquire") || has(".relaxed"));
}

}  // namespace rooftile::ptx
