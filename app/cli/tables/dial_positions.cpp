#include "app/cli/tables/dial_positions.hpp"

#include <algorithm>
#include <random>

namespace rooftile::cli {

std::vector<Configuration> dial_positions(const Manifest& kernel, const Parameters& sizes, std::size_t most) {
  std::vector<Parameters> all{sizes};
  for (const Parameter& parameter : kernel.parameters) {
    if (parameter.role != ParameterRole::dial || sizes.contains(parameter.name)) {
      continue;
    }
    std::vector<Parameters> longer;
    for (const Parameters& start : all) {
      for (const double value : parameter.values) {
        longer.push_back(start);
        longer.back()[parameter.name] = value;
      }
    }
    all = std::move(longer);
  }
  std::shuffle(all.begin(), all.end(), std::minstd_rand(1));
  std::vector<Configuration> moves;
  for (const Parameters& parameters : all) {
    if (moves.size() < most && !why_illegal(kernel, complete(kernel, parameters))) {
      moves.push_back({kernel.name, parameters, Caches::cold});
    }
  }
  return moves;
}

}  // namespace rooftile::cli
