// First guesses of the launch of a user's own kernel, from the names of its sizes and macros.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/source/kernels/source_kernels.hpp"

namespace rooftile {

// Expressions of a kernel.toml.
struct LaunchGuess {
  int sides = 1;      // of the problem: a row, a square, a cube
  std::string count;  // elements of a buffer that is large enough
  std::vector<std::string> grid, block;
};

// sizes: the kernel's parameters that are whole numbers, at least one. Names such as nx, height and cols tell
// which axis a size belongs to; macros such as BLOCK, TILE, or BX beside BY are sides of the block.
LaunchGuess guess_launch(const SourceKernel& kernel, const std::vector<SourceMacro>& macros,
                         const std::vector<std::string>& sizes);

// "max(rows, cols)"; of dozens of sizes the first few, since an expression holds no more.
std::string largest_size(const std::vector<std::string>& sizes);

// The values in a buffer of whole numbers: they may be indices into the other buffers, so none is beyond those.
struct NumbersGuess {
  std::string count, below;  // expressions
  bool ascending = false;
};

// name: of the buffer; body: of the kernel; of_others: elements of the other buffers. Row offsets of a sparse
// matrix ascend: they are told by their name, or by ptr[r] and ptr[r + 1] in the kernel. Counters, locks and
// flags begin at 0.
NumbersGuess guess_numbers(const std::string& name, std::string_view body, const std::string& of_others,
                           const std::vector<std::string>& sizes);

}  // namespace rooftile
