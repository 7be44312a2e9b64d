// Sectors of global memory in the order in which the warps of a block ask for them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "analysis/ptx/run/request.hpp"

namespace rooftile::ptx {

// A request, and those after it that follow each other by the same steps.
struct SectorRequest {
  std::uint32_t time = 0;  // instructions that its warp had executed
  std::int32_t instruction = 0;
  std::size_t first = 0;  // among the sectors of the trace
  int count = 0;          // sectors of one request
  std::uint32_t times = 1, time_step = 0;
  std::uint64_t sector_step = 0;  // modulo 2^64
};

class SectorTrace {
 public:
  // Where the requests of a warp stand.
  struct Mark {
    std::size_t requests = 0;
    std::uint32_t time = 0;
  };

  // most: requests of each warp.
  explicit SectorTrace(std::size_t most) : most_(most) {}

  void start_block(std::size_t warps) { warps_.assign(warps, {}); }
  void enter(int warp) { warp_ = static_cast<std::size_t>(warp); }  // whose requests follow
  void pass(std::size_t instructions) { warps_[warp_].time += static_cast<std::uint32_t>(instructions); }
  void add(std::int32_t instruction, const std::uint64_t* addresses, std::uint32_t lanes, int bytes);
  // Rows of so many bytes each, so far apart, as one request.
  void add_rows(std::int32_t instruction, std::uint64_t first, std::uint64_t bytes, std::int64_t rows,
                std::uint64_t apart);
  bool is_full() const { return warps_[warp_].requests >= most_; }
  bool was_full() const {
    return std::ranges::any_of(warps_, [&](const OfWarp& warp) { return warp.requests >= most_; });
  }

  Mark mark() const { return {requests.size(), warps_[warp_].time}; }
  // Whether the requests from `middle` to `end` are those from `begin` to `middle`, moved on.
  bool repeats(const Mark& begin, const Mark& middle, const Mark& end) const;
  // Goes on so after `end`, the end of all, until the trace is full. begin, end: of the last of those that
  // repeat.
  void repeat(const Mark& begin, const Mark& end, std::int64_t times);

  std::vector<SectorRequest> requests;
  std::vector<std::uint64_t> sectors;  // by number: address / 32

 private:
  void add_sectors(std::uint64_t address, std::uint64_t bytes, std::size_t first);
  void add_request(std::int32_t instruction, std::size_t first);

  struct OfWarp {
    std::uint32_t time = 0;
    std::size_t requests = 0;
  };
  std::uint64_t step(const SectorRequest& from, const SectorRequest& to) const {
    return from.count > 0 ? sectors[to.first] - sectors[from.first] : 0;
  }
  bool is_moved(const SectorRequest& from, const SectorRequest& to) const;
  void append(SectorRequest request, std::uint32_t later, std::uint64_t moved);

  std::size_t most_, warp_ = 0;
  std::vector<OfWarp> warps_;
};

}  // namespace rooftile::ptx
