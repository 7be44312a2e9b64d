// The global memory that a block touches, by step. A step begins with each execution of the load that is
// executed most often: a trip of the loop over the tiles, for example.
#pragma once

#include <map>
#include <vector>

#include "analysis/ptx/trace/block_trace.hpp"

namespace rooftile::ptx {

// The part of a buffer that the block touches. A buffer whose rows are not found is one row.
struct BufferTile {
  int buffer = 0;
  bool loads = false, stores = false;
  std::int64_t pitch = 0;  // elements from row to row, by the first elements that the block touches; 0: one row
  std::int64_t first_row = 0, rows = 1, first_column = 0, columns = 1;
};

// Elements of one request: `count` of them from `first` on.
struct ElementRun {
  std::int64_t first = 0, count = 0;
  int lane = 0;  // the first of those that touch it
};

class BlockSteps {
 public:
  explicit BlockSteps(const BlockTrace& trace);  // it must outlive this

  std::size_t count() const { return loaded_.size(); }
  const std::vector<BufferTile>& tiles() const { return tiles_; }
  double loaded(std::size_t step) const { return loaded_[step]; }  // [B] so far, in sectors
  double flops(std::size_t step) const { return flops_[step]; }    // so far

  // For each request of the buffer up to the step: touch(request's step, its warp, elements of a lane).
  template <class Touch>
  void for_touches(int buffer, std::size_t up_to, Touch&& touch) const {
    for (const std::uint32_t number : of_buffer_.at(buffer)) {
      if (step_of_[number] > up_to) {
        continue;
      }
      for (const ElementRun& run : runs(trace_.requests.requests[number], buffer)) {
        touch(step_of_[number], static_cast<int>(trace_.requests.requests[number].warp), run);
      }
    }
  }

 private:
  std::int64_t element_bytes(int buffer) const;
  std::vector<ElementRun> runs(const TracedRequest& request, int buffer) const;
  const TracedAccess* leading() const;
  void number_steps();
  void sum_up();
  std::int64_t pitch_of(int buffer) const;
  BufferTile tile_of(int buffer) const;

  const BlockTrace& trace_;
  std::vector<std::uint32_t> step_of_;                   // by request
  std::map<int, std::vector<std::uint32_t>> of_buffer_;  // requests
  std::vector<double> loaded_, flops_;                   // by step
  std::vector<BufferTile> tiles_;
};

}  // namespace rooftile::ptx
