// Reads from a kernel's body how its threads work together.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "analysis/source/kernels/source_kernels.hpp"

namespace rooftile {

// Who owns an item, and what its width is. block: nothing but a parameter, or a macro called as a width,
// multiplies the block's index in x; warp: the thread's index in the grid is divided by 32; else, and where the
// text does not say, thread.
struct ItemUse {
  ItemOwner owner = ItemOwner::thread;
  std::string width = {};
};
ItemUse item_use(std::string_view code, const std::string& kernel);
// A block's threads along each axis, as the text has them: "32" of `blockIdx.x * 32 + threadIdx.x`. Where a
// loop lets threads take several of these 32, its step: "8" of `for (int j = 0; j < 32; j += 8)` with
// `threadIdx.y + j`. Empty where the text has no such sum.
std::array<std::string, 3> block_sides(std::string_view code, const std::string& kernel);
// The axes of threads and blocks that it names, 1 to 3. PTX of cooperative groups looks at all three.
int dimensions_named(std::string_view code, const std::string& kernel);

// Whether a number of the source is the side of an array in shared memory, or is called as tile sizes are.
bool looks_tuned(std::string_view code, const std::string& kernel, const std::string& number);

// True if the kernel waits for all blocks of the grid: grid.sync() of cooperative groups.
bool waits_for_grid(std::string_view code, const std::string& kernel);

}  // namespace rooftile
