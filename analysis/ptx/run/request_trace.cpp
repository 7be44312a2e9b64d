#include "analysis/ptx/run/request_trace.hpp"

#include <algorithm>
#include <bit>

#include "analysis/ptx/program/instruction_flops.hpp"

namespace rooftile::ptx {

RequestTrace::RequestTrace(const Program& program, std::size_t most) : most_(most) {
  for (const BasicBlock& block : program.blocks) {
    double of_lane = 0, of_warp = 0;
    for (std::int32_t i = block.begin; i < block.end; ++i) {
      const Instruction& x = program.instructions[static_cast<std::size_t>(i)];
      of_lane += lane_flops(x, program.name_of(x));
      of_warp += warp_flops(x, program.name_of(x));
    }
    flops_of_lane_.push_back(of_lane);
    flops_of_warp_.push_back(of_warp);
  }
}

void RequestTrace::pass(std::int32_t basic_block, std::size_t instructions, std::uint32_t lanes) {
  const auto block = static_cast<std::size_t>(basic_block);
  warps_[warp_].time += static_cast<std::uint32_t>(instructions);
  warps_[warp_].flops += flops_of_lane_[block] * std::popcount(lanes) + flops_of_warp_[block];
}

void RequestTrace::add(std::int32_t instruction, const std::uint64_t* addresses, std::uint32_t lanes, int bytes,
                       bool shared) {
  if (lanes == 0) {
    return;
  }
  std::uint64_t lowest = ~std::uint64_t{0};
  for (int lane = 0; lane < lanes_of_warp; ++lane) {
    lowest = (lanes >> lane & 1) != 0 ? std::min(lowest, addresses[lane]) : lowest;
  }
  Pattern pattern{lanes, bytes, {}};
  for (int lane = 0; lane < lanes_of_warp; ++lane) {
    pattern.offsets[static_cast<std::size_t>(lane)] = (lanes >> lane & 1) != 0 ? addresses[lane] - lowest : 0;
  }
  const auto [known, is_new] = known_.emplace(pattern, static_cast<std::uint32_t>(patterns_.size()));
  if (is_new) {
    patterns_.push_back(pattern);
  }
  OfWarp& warp = warps_[warp_];
  requests.push_back({lowest, instruction, known->second, warp.time, static_cast<float>(warp.flops),
                      static_cast<std::int16_t>(warp_), shared});
  ++warp.requests;
}

bool RequestTrace::was_full() const {
  return std::ranges::any_of(warps_, [&](const OfWarp& warp) { return warp.requests >= most_; });
}

double RequestTrace::flops() const {
  double sum = 0;
  for (const OfWarp& warp : warps_) {
    sum += warp.flops;
  }
  return sum;
}

LaneAddresses RequestTrace::addresses(const TracedRequest& request) const {
  const Pattern& pattern = patterns_[request.pattern];
  LaneAddresses all;
  for (std::size_t lane = 0; lane < all.size(); ++lane) {
    if ((pattern.lanes >> lane & 1) != 0) {
      all[lane] = static_cast<std::int64_t>(request.lowest + pattern.offsets[lane]);
    }
  }
  return all;
}

}  // namespace rooftile::ptx
