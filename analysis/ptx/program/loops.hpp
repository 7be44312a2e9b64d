// The loops of a program, and what goes from one trip to the next.
#pragma once

#include <vector>

#include "analysis/ptx/program/program.hpp"

namespace rooftile::ptx {

struct Loop {
  std::int32_t header = 0, last = 0;  // basic blocks; those between are in it
  std::vector<std::int32_t> carried;  // registers that a trip reads before it has written them, and writes
  std::vector<std::int32_t>
      counted;  // instructions that are counted one by one: accesses, and those with a guard
  std::vector<std::int32_t> accesses;
  bool by_data = false;  // values loaded from memory decide what a trip does
  bool polls = false;    // it does nothing but wait for a word that others write
  bool holds(std::int32_t block) const { return header <= block && block <= last; }
};

struct Loops {
  explicit Loops(const Program& program);

  std::vector<Loop> all;
  std::vector<std::int32_t> at;     // by basic block: the loop that it is the header of, -1: none
  std::vector<bool> is_comparison;  // by instruction: its outcome may change from trip to trip
  std::vector<bool> is_predicate;   // by register
};

// Whether a load sees what other threads write while it runs.
bool loads_anew(const Program& program, const Instruction& x);

}  // namespace rooftile::ptx
