#include "analysis/ptx/work/sampled_blocks.hpp"

namespace rooftile::ptx {
namespace {

struct Place {
  int at;
  double weight;
};

std::vector<Place> places(int extent) {
  if (extent <= 3) {
    std::vector<Place> all;
    for (int at = 0; at < extent; ++at) {
      all.push_back({at, 1});
    }
    return all;
  }
  return {{0, 1}, {extent / 2, extent - 2.0}, {extent - 1, 1}};
}

}  // namespace

std::vector<SampledBlock> sampled_blocks(Dim3 grid) {
  std::vector<SampledBlock> blocks;
  for (const Place z : places(grid.z)) {
    for (const Place y : places(grid.y)) {
      for (const Place x : places(grid.x)) {
        blocks.push_back({{x.at, y.at, z.at}, x.weight * y.weight * z.weight});
      }
    }
  }
  if (blocks.size() > 3) {
    std::swap(blocks[1], blocks[blocks.size() / 2]);
    std::swap(blocks[2], blocks.back());
  }
  return blocks;
}

}  // namespace rooftile::ptx
