#include "app/cli/bench/speed/drawn_sizes.hpp"

#include <random>

namespace rooftile::cli {
namespace {

double draw(std::mt19937& chance, int step) {
  constexpr int range = largest_drawn - least_drawn + 1;
  const int above = static_cast<int>(chance() % range);
  return least_drawn + above / step * step;
}

}  // namespace

std::vector<Parameters> drawn_sizes(std::size_t count, std::uint32_t seed, const std::vector<int>& steps) {
  std::mt19937 chance(seed);
  std::vector<Parameters> all;
  while (all.size() < count) {
    const int step = steps[all.size() % steps.size()];
    Parameters size;
    for (const char* side : {"N", "M", "K"}) {
      if (step < steps[0] || size.empty()) {
        size[side] = draw(chance, step);
      }
    }
    all.push_back(std::move(size));
  }
  return all;
}

}  // namespace rooftile::cli
