// The requests of a block's warps in the order of their execution, each with the addresses of its lanes. Lanes
// that lie alike are kept once.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "analysis/model/banks.hpp"
#include "analysis/ptx/lanes/arithmetic.hpp"
#include "analysis/ptx/program/program.hpp"

namespace rooftile::ptx {

struct TracedRequest {
  std::uint64_t lowest = 0;  // address of a lane
  std::int32_t instruction = 0;
  std::uint32_t pattern = 0;
  std::uint32_t time = 0;  // instructions that its warp had executed
  float flops = 0;         // that its warp had done
  std::int16_t warp = 0;
  bool shared = false;  // else of global memory
};

class RequestTrace {
 public:
  // most: requests of each warp.
  RequestTrace(const Program& program, std::size_t most);

  void start_block(std::size_t warps) { warps_.assign(warps, {}); }
  void enter(int warp) { warp_ = static_cast<std::size_t>(warp); }  // whose requests follow
  void pass(std::int32_t basic_block, std::size_t instructions, std::uint32_t lanes);
  void add(std::int32_t instruction, const std::uint64_t* addresses, std::uint32_t lanes, int bytes,
           bool shared);
  bool is_full() const { return warps_[warp_].requests >= most_; }
  bool was_full() const;
  double flops() const;  // of all warps
  double flops(int warp) const { return warps_[static_cast<std::size_t>(warp)].flops; }

  LaneAddresses addresses(const TracedRequest& request) const;
  int bytes(const TracedRequest& request) const { return patterns_[request.pattern].bytes; }  // of a lane

  std::vector<TracedRequest> requests;

 private:
  struct Pattern {
    std::uint32_t lanes = 0;
    int bytes = 0;
    std::array<std::uint64_t, lanes_of_warp> offsets{};  // from the lowest address
    auto operator<=>(const Pattern&) const = default;
  };
  struct OfWarp {
    std::uint32_t time = 0;
    double flops = 0;
    std::size_t requests = 0;
  };

  std::size_t most_, warp_ = 0;
  std::vector<double> flops_of_lane_, flops_of_warp_;  // by basic block
  std::vector<OfWarp> warps_;
  std::vector<Pattern> patterns_;
  std::map<Pattern, std::uint32_t> known_;
};

}  // namespace rooftile::ptx
