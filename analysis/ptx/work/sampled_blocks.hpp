// The blocks of a grid that stand for all of it.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "analysis/chip/launch.hpp"

namespace rooftile::ptx {

struct SampledBlock {
  Dim3 at;
  double weight = 1;  // blocks that it stands for
};

// The first, a middle and the last one of the grid: where these do the same, all others do so, too.
std::array<Dim3, 3> telling_blocks(Dim3 grid);

enum class Difference { none, of_accesses, of_branches };  // each is more than those before

// usual: the block on whose axes the others are compared, one that has work. difference(a, b): what two blocks
// do otherwise. An axis along which they differ is sampled at both of its ends, in the middle, and among those
// from an end on that do other than the middle; if branches differ among these, too, by so many blocks that
// work that grows evenly along the axis is summed exactly; if neighbours differ, by eight of them, as many as
// there are places of a sector for a number of four bytes. No more than `most` of all axes together are taken.
// The weights add up to the grid.
std::vector<SampledBlock> sampled_blocks(Dim3 grid, Dim3 usual,
                                         const std::function<Difference(Dim3, Dim3)>& difference, double most);

}  // namespace rooftile::ptx
