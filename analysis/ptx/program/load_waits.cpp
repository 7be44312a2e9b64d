#include "analysis/ptx/program/load_waits.hpp"

#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace rooftile::ptx {
namespace {

bool loads_global(const Instruction& x) {
  return (x.op == Op::ld || x.op == Op::atom || x.op == Op::ldmatrix) &&
         (x.space == Space::global || x.space == Space::generic);
}

class Finder {
 public:
  explicit Finder(Program& program) : program_(program) {
    for (std::size_t i = 0; i < program_.instructions.size(); ++i) {
      const Instruction& x = program_.instructions[i];
      const auto number = static_cast<std::int32_t>(i);
      if (loads_global(x)) {
        for (const Operand& operand : std::span(program_.destination(x), x.destinations)) {
          std::vector<std::int32_t>& loads = loads_of_[operand.index];
          if (loads.size() < most_of_register) {
            loads.push_back(number);
          }
        }
      }
      if (x.op == Op::cp_async && first_copy_ < 0) {
        first_copy_ = number;
      }
    }
  }

  // A value that a predicated block uses is used after the last of the blocks that follow each other: a row of
  // guarded loads is under way together.
  void find() {
    const std::size_t count = program_.blocks.size();
    std::vector<Rounds> all;
    std::vector<bool> predicated(count + 1);
    for (std::size_t i = 0; i < count; ++i) {
      all.push_back(rounds_of(program_.blocks[i]));
      predicated[i] = all[i].size() <= 1 && is_predicated(i);
    }
    std::set<std::int32_t> used_later;
    for (std::size_t i = 0; i < count; ++i) {
      if (predicated[i]) {
        used_later.merge(all[i][0].used);
        all[i][0].used.clear();
      } else if (!predicated[i + 1]) {
        all[i][0].used.merge(used_later);
        used_later.clear();
      }
      give(all[i], program_.blocks[i]);
    }
  }

 private:
  struct Round {
    std::set<std::int32_t> issued, used;  // loads
  };
  using Rounds = std::map<int, Round>;
  struct Value {
    int round = 0;           // in which it is there
    std::int32_t load = -1;  // that gave it
  };

  Rounds rounds_of(const BasicBlock& block) {
    rounds_.clear();
    here_.clear();
    floor_ = 0;
    for (std::int32_t i = block.begin; i < block.end; ++i) {
      look_at(i);
    }
    return rounds_;
  }

  static void give(const Rounds& rounds, BasicBlock& block) {
    for (const auto& [number, round] : rounds) {
      for (const std::int32_t load : round.issued) {
        block.loads.push_back({load, false});
      }
      for (const std::int32_t load : round.used) {
        block.loads.push_back({load, true});
      }
    }
  }

  // A branch jumps over the block, which is short and stores to shared memory at most: ptxas predicates it, and
  // its loads move up. How long it may be is an estimate.
  bool is_predicated(std::size_t i) const {
    constexpr std::int32_t longest = 24;
    const auto instruction = [&](std::int32_t number) -> const Instruction& {
      return program_.instructions[static_cast<std::size_t>(number)];
    };
    const BasicBlock& block = program_.blocks[i];
    if (i == 0 || block.end - block.begin > longest) {
      return false;
    }
    const Instruction& before = instruction(program_.blocks[i - 1].end - 1);
    const auto stays = [&](std::int32_t number) {
      const Instruction& x = instruction(number);
      const bool computes = x.op > Op::other && x.op < Op::activemask;
      return computes || x.op == Op::ld || (x.op == Op::st && x.space == Space::shared);
    };
    return before.op == Op::bra && before.guard >= 0 && before.target == static_cast<std::int32_t>(i) + 1 &&
           std::ranges::all_of(std::views::iota(block.begin, block.end), stays);
  }

  void look_at(std::int32_t number) {
    const Instruction& x = program_.instructions[number];
    int ready = 0;
    for (const Operand& operand : std::span(program_.source(x), x.sources)) {
      if (operand.kind == Operand::Kind::reg || operand.kind == Operand::Kind::address) {
        ready = std::max(ready, read(operand.index));
      }
    }
    if (first_copy_ >= 0 && program_.name_of(x).starts_with("cp.async.wait")) {
      rounds_[floor_++].used.insert(first_copy_);
    } else if (x.op == Op::cp_async) {
      rounds_[std::max(ready, floor_)].issued.insert(first_copy_);
    } else if (x.op == Op::st && x.space != Space::shared) {
      floor_ = std::max(floor_, ready);
    }
    Value made{ready, -1};
    if (loads_global(x)) {
      const bool passes_stores = program_.name_of(x).find(".nc") != std::string::npos;
      const int round = std::max(ready, passes_stores ? 0 : floor_);
      rounds_[round].issued.insert(number);
      made = {round + 1, number};
    }
    for (const Operand& operand : std::span(program_.destination(x), x.destinations)) {
      here_[operand.index] = made;
    }
  }

  // The round in which the register has its value.
  int read(std::int32_t reg) {
    if (const auto value = here_.find(reg); value != here_.end()) {
      if (value->second.load >= 0) {
        rounds_[value->second.round - 1].used.insert(value->second.load);
      }
      return value->second.round;
    }
    const auto before = loads_of_.find(reg);
    if (reg < 0 || before == loads_of_.end()) {
      return 0;
    }
    rounds_[0].used.insert(before->second.begin(), before->second.end());
    return 1;
  }

  static constexpr std::size_t most_of_register = 8;

  Program& program_;
  std::map<std::int32_t, std::vector<std::int32_t>> loads_of_;  // by register
  std::int32_t first_copy_ = -1;                                // cp.async: they are waited for together
  Rounds rounds_;                                               // of the block
  std::map<std::int32_t, Value> here_;                          // by register, as far as the block has set it
  int floor_ = 0;  // the round of the last store or wait, which a load does not pass
};

}  // namespace

void find_load_waits(Program& program) {
  Finder(program).find();
}

}  // namespace rooftile::ptx
