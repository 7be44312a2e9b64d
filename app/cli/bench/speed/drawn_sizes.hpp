// Sizes of matrix multiplies that nobody named.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/text/expression.hpp"

namespace rooftile::cli {

inline constexpr int least_drawn = 1024, largest_drawn = 12288;

// In turn a square whose side is a multiple of 128 (N alone, which M and K follow), sides M, N and K that are
// multiples of 8, and ragged ones. The same seed draws the same sizes, and fewer of them are the first of
// these.
std::vector<Parameters> drawn_sizes(std::size_t count, std::uint32_t seed);

}  // namespace rooftile::cli
