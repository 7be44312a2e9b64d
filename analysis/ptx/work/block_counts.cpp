#include "analysis/ptx/work/block_counts.hpp"

#include <algorithm>
#include <numeric>

namespace rooftile::ptx {
namespace {

double lanes_of(const Counts& counts) {
  return std::accumulate(counts.block_lanes.begin(), counts.block_lanes.end(), 0.0);
}

bool has_requests(const Counts& counts) {
  return std::ranges::any_of(counts.instructions,
                             [](const InstructionCounts& each) { return each.sectors > 0; });
}

}  // namespace

void BlockCounts::add_to(Counts& total, const Dim3& grid) {
  const std::array<Dim3, 3> telling = telling_blocks(grid);
  const auto differing = [&](Dim3 a, Dim3 b) { return difference(a, b); };
  if (std::ranges::all_of(telling,
                          [&](Dim3 block) { return difference(block, telling[0]) == Difference::none; })) {
    return add(total, telling[0], static_cast<double>(grid.count()));
  }
  constexpr double share_of_budget = 0.02;  // that blocks between the ends may take
  const double most = share_of_budget * blocks() / std::max(run_.spent(), 1e-9);
  for (const SampledBlock& block : sampled_blocks(grid, usual(telling), differing, most)) {
    add(total, block.at, block.weight);
  }
}

// A grid may be larger than its data along two axes: then the middle of either has no work.
Dim3 BlockCounts::usual(const std::array<Dim3, 3>& telling) {
  const auto& [first, middle, last] = telling;
  return has_requests(of(first)) && !has_requests(of(middle)) ? first : middle;
}

void BlockCounts::add(Counts& total, Dim3 block, double weight) {
  const Counts& counts = of(block);
  total.add(counts, weight);
  with_requests_ += has_requests(counts) ? weight : 0;
  lanes_ += weight * lanes_of(counts);
  of_blocks_ += weight;
}

Dim3 BlockCounts::busiest(Dim3 usual) const {
  constexpr double notably = 1.1;
  Place busiest = place(usual);
  double most = notably * lanes_of(all_.at(busiest));
  for (const auto& [at, counts] : all_) {
    if (lanes_of(counts) > most) {
      busiest = at;
      most = lanes_of(counts);
    }
  }
  return {busiest[0], busiest[1], busiest[2]};
}

double BlockCounts::imbalance() const {
  double most = 0;
  for (const auto& [at, counts] : all_) {
    most = std::max(most, lanes_of(counts));
  }
  return lanes_ > 0 ? std::max(1.0, most * of_blocks_ / lanes_) : 1;
}

const Counts& BlockCounts::of(Dim3 block) {
  const auto [found, is_new] = all_.try_emplace(place(block), program_);
  if (is_new) {
    run_.run(block, found->second);
  }
  return found->second;
}

Difference BlockCounts::difference(Dim3 one, Dim3 other) {
  const Counts &a = of(one), &b = of(other);
  return a.block_warps != b.block_warps || a.block_lanes != b.block_lanes ? Difference::of_branches
         : a != b                                                         ? Difference::of_accesses
                                                                          : Difference::none;
}

}  // namespace rooftile::ptx
