#include "analysis/ptx/program/copy_waits.hpp"

#include <algorithm>

#include "analysis/ptx/program/loops.hpp"

namespace rooftile::ptx {
namespace {

bool is_named(const Program& program, const Instruction& x, std::string_view begin) {
  return x.op == Op::cp_async_group && program.name_of(x).starts_with(begin);
}

bool computes(const Instruction& x) {
  return x.op == Op::fma || x.op == Op::mma || x.op == Op::mad;
}

struct Range {
  std::int32_t begin, end;
};

// The shortest loop around an instruction; empty outside of loops.
Range loop_around(const Program& program, const Loops& loops, std::int32_t instruction) {
  Range shortest{0, 0};
  for (const Loop& loop : loops.all) {
    const Range range{program.blocks[loop.header].begin, program.blocks[loop.last].end};
    const bool is_around = range.begin <= instruction && instruction < range.end;
    const bool is_shorter =
        shortest.end == shortest.begin || range.end - range.begin < shortest.end - shortest.begin;
    shortest = is_around && is_shorter ? range : shortest;
  }
  return shortest;
}

int count_computing(const Program& program, std::int32_t begin, std::int32_t end) {
  const auto first = program.instructions.begin();
  return static_cast<int>(end <= begin ? 0 : std::count_if(first + begin, first + end, computes));
}

// Most of a trip's arithmetic stands between the end of a group and the next wait: then the group is under way
// for one trip more than the wait says.
bool computes_before_waiting(const Program& program, const Range& loop, std::int32_t wait) {
  std::int32_t commit = -1;
  for (std::int32_t i = loop.begin; i < loop.end; ++i) {
    commit = is_named(program, program.instructions[i], "cp.async.commit_group") ? i : commit;
  }
  if (commit < 0) {
    return false;
  }
  const int all = count_computing(program, loop.begin, loop.end);
  const int between =
      commit < wait ? count_computing(program, commit, wait)
                    : count_computing(program, commit, loop.end) + count_computing(program, loop.begin, wait);
  return 2 * between > all;
}

}  // namespace

std::vector<CopyWait> copy_waits(const Program& program) {
  std::vector<CopyWait> waits;
  const Loops loops(program);
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(program.instructions.size()); ++i) {
    const Instruction& x = program.instructions[i];
    if (is_named(program, x, "cp.async.wait_")) {
      const int groups = x.sources > 0 ? static_cast<int>(program.source(x)[0].value) : 0;
      waits.push_back(
          {i, groups + (computes_before_waiting(program, loop_around(program, loops, i), i) ? 1 : 0)});
    }
  }
  return waits;
}

}  // namespace rooftile::ptx
