// For tests over kernels: their names, and combinations of their dials.
#pragma once

#include <algorithm>
#include <ostream>
#include <random>
#include <vector>

#include "analysis/manifest/combinations.hpp"

namespace rooftile {

// The name of a test over kernels.
inline void PrintTo(const Manifest& manifest, std::ostream* out) {
  *out << manifest.name;
}

}  // namespace rooftile

namespace rooftile::worker {

// All of them, or so many drawn at random: always the same ones.
inline std::vector<Parameters> some_combinations(const Manifest& manifest, std::size_t at_most) {
  std::vector<Parameters> all = every_combination(manifest), drawn;
  std::ranges::sample(all, std::back_inserter(drawn), static_cast<std::ptrdiff_t>(at_most), std::mt19937(1));
  return drawn;
}

}  // namespace rooftile::worker
