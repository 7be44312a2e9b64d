// Sizes of matrix multiplies that nobody named.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/text/expression.hpp"

namespace rooftile::cli {

inline constexpr int least_drawn = 1024, largest_drawn = 12288;

// Sides are multiples of the steps in turn: of the first one squares (N alone, which M and K follow), of the
// others sides M, N and K; of 1 ragged ones. The same seed draws the same sizes, and fewer of them are the
// first of these.
std::vector<Parameters> drawn_sizes(std::size_t count, std::uint32_t seed, const std::vector<int>& steps);

}  // namespace rooftile::cli
