// Runs some blocks of a launch, each once, keeps their counts, and sums them over the grid.
#pragma once

#include <array>
#include <map>

#include "analysis/ptx/run/block_run.hpp"
#include "analysis/ptx/work/sampled_blocks.hpp"

namespace rooftile::ptx {

class BlockCounts {
 public:
  // Both must outlive it.
  BlockCounts(BlockRun& run, const Program& program) : run_(run), program_(program) {}

  // Adds the counts of all blocks of the grid, out of those that stand for them. Throws Error as a run does.
  void add_to(Counts& total, const Dim3& grid);
  double with_requests() const { return with_requests_; }       // of the grid: blocks that access global memory
  int blocks() const { return static_cast<int>(all_.size()); }  // that were run
  // One of these that does notably more than the others; else `usual`, which is one of them.
  Dim3 busiest(Dim3 usual) const;
  // Instructions of the one that does most, as a multiple of the average of the grid.
  double imbalance() const;

 private:
  using Place = std::array<int, 3>;
  static Place place(Dim3 block) { return {block.x, block.y, block.z}; }
  const Counts& of(Dim3 block);
  Dim3 usual(const std::array<Dim3, 3>& telling);
  void add(Counts& total, Dim3 block, double weight);
  Difference difference(Dim3 one, Dim3 other);

  BlockRun& run_;
  const Program& program_;
  std::map<Place, Counts> all_;
  double with_requests_ = 0;
  double lanes_ = 0, of_blocks_ = 0;  // of the grid: instructions of lanes, and blocks
};

}  // namespace rooftile::ptx
