#include "analysis/ptx/program/machine_counts.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <ranges>

namespace rooftile::ptx {
namespace {

// ptxas makes one instruction of it, wherever it stands.
bool is_kept(const Instruction& x, const std::string& name) {
  switch (x.op) {
    case Op::ld:
    case Op::st:
    case Op::atom:
    case Op::red:
    case Op::shfl:
    case Op::bar:
      return true;
    case Op::ldmatrix:
    case Op::stmatrix:
      return !name.starts_with("wmma");
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::fma:
      return x.type.kind == 'f' && x.type.bytes >= 4;
    default:
      return false;
  }
}

class Executions {
 public:
  Executions(const Program& program, std::span<const double> block_warps)
      : program_(program), block_warps_(block_warps), blocks_(program.machine_code.size()) {
    for (std::size_t block = 0; block < program.blocks.size(); ++block) {
      for (std::int32_t i = program.blocks[block].begin; i < program.blocks[block].end; ++i) {
        Line& line = lines_[program.instructions[i].text_line];
        line.instruction = line.instruction < 0 ? i : line.instruction;
        line.block = static_cast<std::int32_t>(block);
        line.warps += block_warps[block];
      }
    }
  }

  MachineCounts counts() {
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      find_origin(i);
    }
    for (auto& [origin, copies] : copies_) {
      share_out(origin.first, copies);
    }
    judge_by_most();
    return by_instruction();
  }

 private:
  static constexpr std::size_t no_loop = static_cast<std::size_t>(-1);

  // A line of the PTX. Where a function stands in it once for each call, its lines are several instructions'.
  struct Line {
    std::int32_t instruction = -1, block = -1;
    double warps = 0;
  };
  // A block of the machine.
  struct Block {
    int copies = 1;  // of its origin
    double warps = 0;
    bool is_known = false;
  };

  // Some code comes from a line without an instruction: the brace of a function sets up its stack. The next
  // line counts for it.
  const Line* line_of(int number) const {
    const auto found = lines_.lower_bound(number);
    return found != lines_.end() ? &found->second : nullptr;
  }

  // The kept instructions that a block of the machine has from one block of the PTX: how often each line, and
  // their sum.
  struct Kept {
    std::map<int, int> lines;
    int all = 0;
    double warps = 0;
  };

  std::map<std::int32_t, Kept> kept_of(const MachineBlock& machine) const {
    std::map<std::int32_t, Kept> all;
    for (const int each : machine.kept) {
      const Line* line = line_of(each);
      const Instruction* x = line ? &program_.instructions[line->instruction] : nullptr;
      if (x && is_kept(*x, program_.name_of(*x))) {
        Kept& kept = all[line->block];
        ++kept.lines[each];
        ++kept.all;
        kept.warps = line->warps;
      }
    }
    return all;
  }

  // The block of the PTX that it was made of, and of how many copies. Guarded instructions may have come from
  // others, that fewer warps execute; a few may have moved here out of a loop.
  void find_origin(std::size_t number) {
    constexpr int weighty = 4;  // a quarter of them
    const std::map<std::int32_t, Kept> kept = kept_of(program_.machine_code[number]);
    int all = 0;
    for (const auto& [block, held] : kept) {
      all += held.all;
    }
    auto origin = kept.end();
    for (auto it = kept.begin(); it != kept.end(); ++it) {
      const bool is_weighty = it->second.all * weighty >= all;
      if (is_weighty && (origin == kept.end() || it->second.warps > origin->second.warps)) {
        origin = it;
      }
    }
    if (origin != kept.end()) {
      blocks_[number].is_known = true;
      blocks_[number].copies = median_of(origin->second.lines);
      copies_[{origin->first, origin->second.lines.begin()->first}].push_back(number);
    }
  }

  static int median_of(const std::map<int, int>& lines) {
    std::vector<int> times;
    std::ranges::transform(lines, std::back_inserter(times), [](const auto& line) { return line.second; });
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::ranges::nth_element(times, middle);
    return *middle;
  }

  // The last block of the shortest loop around each block.
  std::vector<std::size_t> innermost_loops() const {
    std::vector<std::size_t> loops(blocks_.size(), no_loop), lengths(blocks_.size(), no_loop);
    for (std::size_t last = 0; last < blocks_.size(); ++last) {
      const int target = program_.machine_code[last].target;
      const auto first = static_cast<std::size_t>(target);
      for (std::size_t i = first; target >= 0 && i <= last; ++i) {
        if (last - first < lengths[i]) {
          loops[i] = last;
          lengths[i] = last - first;
        }
      }
    }
    return loops;
  }

  // A block without kept instructions comes from the block of the PTX that most of its instructions are from.
  // But instructions move out of loops, so its loop limits it: it is executed no more often than the others of
  // its innermost loop.
  void judge_by_most() {
    const std::vector<std::size_t> loops = innermost_loops();
    std::map<std::size_t, double> most = {{no_loop, block_warps_.front()}};
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (blocks_[i].is_known && loops[i] != no_loop) {
        most[loops[i]] = std::max(most[loops[i]], blocks_[i].warps);
      }
    }
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (!blocks_[i].is_known) {
        const double warps = warps_of_most(program_.machine_code[i]);
        blocks_[i].warps = most[loops[i]] > 0 ? std::min(warps, most[loops[i]]) : warps;
      }
    }
  }

  double warps_of_most(const MachineBlock& machine) const {
    std::map<std::int32_t, int> lines;
    for (const int each : machine.lines) {
      if (const Line* line = line_of(each)) {
        ++lines[line->block];
      }
    }
    const auto most = std::ranges::max_element(lines, {}, [](const auto& each) { return each.second; });
    return most != lines.end() ? block_warps_[most->first] : 0;
  }

  // How often a block is entered from one before it.
  double entries_of(std::int32_t block) const {
    return block > 0 ? std::min(block_warps_[block], block_warps_[block - 1]) : block_warps_[block];
  }

  // ptxas unrolls a loop into blocks of several copies, the most first, and the rest of the trips one by one.
  void share_out(std::int32_t origin, std::vector<std::size_t>& blocks) {
    std::ranges::stable_sort(blocks, std::ranges::greater{},
                             [&](std::size_t each) { return blocks_[each].copies; });
    const double warps = line_of(program_.instructions[program_.blocks[origin].begin].text_line)->warps;
    if (blocks.size() == 1) {
      blocks_[blocks.front()].warps = warps / blocks_[blocks.front()].copies;
      return;
    }
    const double entries = std::max(entries_of(origin), 1.0);
    double trips = warps / entries;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      Block& block = blocks_[blocks[i]];
      const bool is_last = i + 1 == blocks.size();
      const double times = is_last ? trips / block.copies : std::floor(trips / block.copies + 1e-6);
      block.warps = times * entries;
      trips -= times * block.copies;
    }
  }

  MachineCounts by_instruction() const {
    MachineCounts made{std::vector<double>(program_.instructions.size())};
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      made.waits += program_.machine_code[i].waits * blocks_[i].warps;
      for (const int each : program_.machine_code[i].lines) {
        if (const Line* line = line_of(each)) {
          made.warps[static_cast<std::size_t>(line->instruction)] += blocks_[i].warps;
          made.code += blocks_[i].warps > 0 ? 1 : 0;
        }
      }
    }
    return made;
  }

  const Program& program_;
  std::span<const double> block_warps_;
  std::vector<Block> blocks_;
  std::map<int, Line> lines_;
  // Blocks of the machine that hold the same line of the same block of the PTX.
  std::map<std::pair<std::int32_t, int>, std::vector<std::size_t>> copies_;
};

MachineCounts one_each(const Program& program, std::span<const double> block_warps) {
  MachineCounts made;
  for (std::size_t block = 0; block < program.blocks.size(); ++block) {
    const auto length = static_cast<std::size_t>(program.blocks[block].end - program.blocks[block].begin);
    made.warps.insert(made.warps.end(), length, block_warps[block]);
    made.code += block_warps[block] > 0 ? static_cast<double>(length) : 0;
    const auto loads_global = [&](std::int32_t i) {
      const Instruction& x = program.instructions[i];
      return (x.op == Op::ld || x.op == Op::atom) && x.space == Space::global;
    };
    const auto all = std::views::iota(program.blocks[block].begin, program.blocks[block].end);
    made.waits += std::ranges::any_of(all, loads_global) ? block_warps[block] : 0;
  }
  return made;
}

}  // namespace

MachineCounts machine_counts(const Program& program, std::span<const double> block_warps) {
  return program.machine_code.empty() || program.blocks.empty() ? one_each(program, block_warps)
                                                                : Executions(program, block_warps).counts();
}

}  // namespace rooftile::ptx
