// The kernels and variables of a PTX, read from its text.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/source/kernels/source_kernels.hpp"

namespace rooftile::worker {

struct PtxEntry {
  std::string symbol;
  std::string_view body;  // of the text that was read
};

// In the order of the text.
std::vector<PtxEntry> entries_of(std::string_view ptx);

// The name of a symbol that every compilation gives it: an anonymous namespace has a number of its own in each.
std::string lasting_symbol(std::string symbol);
// The symbol of the entry that a lasting symbol means; the symbol itself where the PTX has no such entry.
std::string symbol_in(std::string_view ptx, const std::string& lasting);

// The __constant__ and __device__ variables without a value. Their names are symbols.
std::vector<SourceVariable> variables_of(std::string_view ptx);

// The counters that a kernel needs depend on its instructions. The defaults mean that nobody read them.
struct Instructions {
  bool half_arithmetic = false;  // adds or multiplies in FP16 or BF16, outside of tensor cores
  bool other_blocks = true;      // may access shared memory of other blocks of its cluster
  std::optional<std::set<std::string>> tensor_pipes = {};  // that its matrix products may run on; empty: any
  bool operator==(const Instructions&) const = default;
};

// If the kernel calls functions, any instruction of the text counts, since calls are not followed.
Instructions instructions_in_ptx(std::string_view ptx, std::string_view symbol);

}  // namespace rooftile::worker
