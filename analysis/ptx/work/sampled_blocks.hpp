// The blocks of a grid that stand for all of it.
#pragma once

#include <vector>

#include "analysis/chip/launch.hpp"

namespace rooftile::ptx {

struct SampledBlock {
  Dim3 at;
  double weight = 1;  // blocks that it stands for
};

// The first, a middle and the last one of each axis: blocks differ where they lie at an edge. Of more than
// three blocks, those that differ most in their place come first: the first, the middle and the last one of the
// grid.
std::vector<SampledBlock> sampled_blocks(Dim3 grid);

}  // namespace rooftile::ptx
