#include "analysis/ptx/work/races.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "analysis/ptx/program/program_analysis.hpp"
#include "analysis/ptx/work/kernel_work.hpp"
#include "analysis/ptx/work/sampled_blocks.hpp"
#include "analysis/text/error.hpp"

namespace rooftile::ptx {
namespace {

std::string who(const Program& program, const Touch& touch) {
  const Instruction& x = program.instructions[touch.instruction];
  return fmt::format("\"{}\" in {} (lane {} of warp {})", program.name_of(x), place_of(program, x), touch.lane,
                     touch.warp);
}

std::string sentence_of(const Program& program, const Race& race) {
  const std::string later = who(program, race.later);
  if (race.kind == Race::Kind::unwritten) {
    return fmt::format("{} reads a word of shared memory that nobody has written.", later);
  }
  const std::string earlier = who(program, race.earlier);
  if (race.kind == Race::Kind::under_way) {
    return fmt::format("{} reads a word of shared memory that {} may still be copying: nothing waits for it.",
                       later, earlier);
  }
  return fmt::format("{} and {} touch one word of shared memory, at least one writes it, and no {} between.",
                     earlier, later, race.is_within_warp() ? "__syncwarp() stands" : "barrier stands");
}

std::vector<Race> races_in(const Program& program, const ProgramLaunch& launch, const Budget& budget,
                           Dim3 block) {
  SharedTouches touches(program, launch.launch.dynamic_shared_bytes);
  BlockRun run(program, launch, budget);
  run.watch(touches);
  Counts counts(program);
  try {
    run.run(block, counts);
  } catch (const BudgetSpent&) {
    // what was found until then
  }
  std::vector<Race> races = touches.races();
  std::ranges::stable_partition(races, [](const Race& race) { return !race.is_within_warp(); });
  return races;
}

// Mbarriers order what warps do, and are not followed: a wait is over at once.
bool waits_at_mbarriers(const Program& program) {
  return std::ranges::any_of(program.instructions,
                             [](const Instruction& x) { return x.op == Op::mbarrier && x.has(tests); });
}

}  // namespace

std::vector<std::string> races_of(const Program& program, const ProgramLaunch& launch, Budget budget) {
  if (waits_at_mbarriers(program)) {
    return {};
  }
  budget.every_trip = true;
  const bool others = is_shared_with_others(program, launch);
  std::vector<std::string> sentences;
  std::set<std::pair<std::string, std::string>> told;  // the compiler unrolls loops
  std::set<std::array<int, 3>> looked_at;
  for (const Dim3 block : telling_blocks(launch.launch.grid)) {
    if (!looked_at.insert({block.x, block.y, block.z}).second) {
      continue;
    }
    for (const Race& race : races_in(program, launch, budget, block)) {
      const std::string later = place_of(program, program.instructions[race.later.instruction]);
      const bool unwritten = race.kind == Race::Kind::unwritten;
      const std::string earlier =
          unwritten ? "" : place_of(program, program.instructions[race.earlier.instruction]);
      if (!(unwritten && others) && told.insert(std::minmax(earlier, later)).second) {
        sentences.push_back(sentence_of(program, race));
      }
    }
  }
  return sentences;
}

}  // namespace rooftile::ptx
