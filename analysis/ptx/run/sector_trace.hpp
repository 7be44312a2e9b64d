// Sectors of global memory in the order in which the warps of a block ask for them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "analysis/ptx/run/request.hpp"

namespace rooftile::ptx {

struct SectorRequest {
  std::uint32_t time = 0;  // instructions that its warp had executed
  std::int32_t instruction = 0;
  std::size_t first = 0;  // among the sectors of the trace
  int count = 0;
};

class SectorTrace {
 public:
  // most: requests of each warp.
  explicit SectorTrace(std::size_t most) : most_(most) {}

  void start_block(std::size_t warps) { warps_.assign(warps, {}); }
  void enter(int warp) { warp_ = static_cast<std::size_t>(warp); }  // whose requests follow
  void pass(std::size_t instructions) { warps_[warp_].time += static_cast<std::uint32_t>(instructions); }
  void add(std::int32_t instruction, const std::uint64_t* addresses, std::uint32_t lanes, int bytes);
  bool is_full() const { return warps_[warp_].requests >= most_; }
  bool was_full() const {
    return std::ranges::any_of(warps_, [&](const OfWarp& warp) { return warp.requests >= most_; });
  }

  std::vector<SectorRequest> requests;
  std::vector<std::uint64_t> sectors;  // by number: address / 32

 private:
  struct OfWarp {
    std::uint32_t time = 0;
    std::size_t requests = 0;
  };
  std::size_t most_, warp_ = 0;
  std::vector<OfWarp> warps_;
};

}  // namespace rooftile::ptx
