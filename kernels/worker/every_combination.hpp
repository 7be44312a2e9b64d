// For tests: what a kernel's dials can be set to.
#pragma once

#include <algorithm>
#include <ostream>
#include <random>
#include <vector>

#include "analysis/manifest.hpp"

namespace rooftile {

// The name of a test over kernels.
inline void PrintTo(const Manifest& manifest, std::ostream* out) {
  *out << manifest.name;
}

}  // namespace rooftile

namespace rooftile::worker {

// The legal combinations of a kernel's dials, completed with the defaults of all else.
inline std::vector<Parameters> every_combination(const Manifest& manifest) {
  std::vector<Parameters> all(1);
  for (const Parameter& parameter : manifest.parameters) {
    if (parameter.role == ParameterRole::dial) {
      std::vector<Parameters> longer;
      for (const Parameters& shorter : all) {
        for (const double value : parameter.values) {
          longer.push_back(shorter);
          longer.back()[parameter.name] = value;
        }
      }
      all = std::move(longer);
    }
  }
  for (Parameters& parameters : all) {
    parameters = complete(manifest, parameters);
  }
  std::erase_if(all,
                [&](const Parameters& parameters) { return why_illegal(manifest, parameters).has_value(); });
  return all;
}

// All of them, or so many drawn at random: always the same ones.
inline std::vector<Parameters> some_combinations(const Manifest& manifest, std::size_t at_most) {
  std::vector<Parameters> all = every_combination(manifest), drawn;
  std::ranges::sample(all, std::back_inserter(drawn), static_cast<std::ptrdiff_t>(at_most), std::mt19937(1));
  return drawn;
}

}  // namespace rooftile::worker
