#include "analysis/ptx/work/l1_cache.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "analysis/ptx/run/sector_trace.hpp"

namespace rooftile::ptx {
namespace {

constexpr std::uint64_t sectors_of_line = 4, bytes_of_line = 128;

// Lines of four sectors, each of which comes by itself. The line that was used longest ago comes first in a
// ring of links; a chain for each hash finds them.
class LinesUsedLast {
 public:
  explicit LinesUsedLast(std::size_t capacity)
      : lines_(std::max<std::size_t>(capacity, 1) + 1), heads_(std::bit_ceil(2 * lines_.size())) {}

  bool find_or_take(std::uint64_t sector) {
    const std::uint64_t number = sector / sectors_of_line;
    const auto bit = static_cast<std::uint8_t>(1U << sector % sectors_of_line);
    std::uint32_t at = head_of(number);
    while (at != 0 && lines_[at].number != number) {
      at = lines_[at].chained;
    }
    const bool held = at != 0 && (lines_[at].sectors & bit) != 0;
    if (at == 0) {
      at = take(number);
    } else {
      unlink(at);
    }
    lines_[at].sectors |= bit;
    link_as_last(at);
    return held;
  }

 private:
  struct Line {
    std::uint64_t number = 0;
    std::uint32_t before = 0, after = 0, chained = 0;  // 0: the end of the ring, or of a chain
    std::uint8_t sectors = 0;
  };
  std::uint32_t& head_of(std::uint64_t number) {
    return heads_[(number * 0x9e3779b97f4a7c15U >> 32) & (heads_.size() - 1)];
  }
  std::uint32_t take(std::uint64_t number) {
    std::uint32_t at = ++used_;
    if (at >= lines_.size()) {
      --used_;
      at = lines_[0].after;
      unlink(at);
      std::uint32_t* link = &head_of(lines_[at].number);
      while (*link != at) {
        link = &lines_[*link].chained;
      }
      *link = lines_[at].chained;
    }
    lines_[at] = {number, 0, 0, head_of(number), 0};
    head_of(number) = at;
    return at;
  }
  void unlink(std::uint32_t at) {
    lines_[lines_[at].before].after = lines_[at].after;
    lines_[lines_[at].after].before = lines_[at].before;
  }
  void link_as_last(std::uint32_t at) {
    const std::uint32_t last = lines_[0].before;
    lines_[at].before = last;
    lines_[at].after = 0;
    lines_[last].after = lines_[0].before = at;
  }

  std::vector<Line> lines_;  // the first one is the end of the ring
  std::vector<std::uint32_t> heads_;
  std::uint32_t used_ = 0;
};

// The blocks of one SM in a wave in the middle of the launch. Blocks go to SMs in turn.
std::vector<Dim3> blocks_of_sm(const Dim3& grid, const Residency& residency) {
  const std::int64_t all = grid.count(), wave = std::int64_t{residency.sms} * residency.blocks;
  const std::int64_t first = (all > wave ? all / 2 / wave * wave : 0) + residency.sms / 2;
  std::vector<Dim3> blocks;
  for (int i = 0; i < residency.blocks && first + std::int64_t{i} * residency.sms < all; ++i) {
    const std::int64_t at = first + std::int64_t{i} * residency.sms;
    blocks.push_back({static_cast<int>(at % grid.x), static_cast<int>(at / grid.x % grid.y),
                      static_cast<int>(at / grid.x / grid.y)});
  }
  if (blocks.empty()) {
    blocks.push_back({grid.x / 2, grid.y / 2, grid.z / 2});
  }
  return blocks;
}

bool passes_l1(const Program& program, const Instruction& x) {
  const std::string& name = program.name_of(x);
  return x.op == Op::atom || x.op == Op::red || name.find(".cg") != std::string::npos ||
         name.find(".volatile") != std::string::npos;
}

struct Met {
  double sectors = 0, missed = 0;
};

struct OneRequest {
  std::uint32_t time;
  std::uint32_t which;  // of those that it stands for
  const SectorRequest* of;
};

std::vector<OneRequest> in_step(const SectorTrace& trace) {
  std::vector<OneRequest> all;
  for (const SectorRequest& request : trace.requests) {
    for (std::uint32_t i = 0; i < request.times; ++i) {
      all.push_back({request.time + i * request.time_step, i, &request});
    }
  }
  std::ranges::stable_sort(all, {}, &OneRequest::time);
  return all;
}

std::vector<Met> met_by_instruction(const Program& program, const SectorTrace& trace,
                                    const Residency& residency) {
  LinesUsedLast cache(static_cast<std::size_t>(residency.l1_bytes / bytes_of_line));
  std::vector<Met> met(program.instructions.size());
  for (const OneRequest& one : in_step(trace)) {
    const SectorRequest& request = *one.of;
    Met& here = met[static_cast<std::size_t>(request.instruction)];
    const bool passes = passes_l1(program, program.instructions[request.instruction]);
    here.sectors += request.count;
    for (int i = 0; i < request.count; ++i) {
      const std::uint64_t sector =
          trace.sectors[request.first + static_cast<std::size_t>(i)] + one.which * request.sector_step;
      here.missed += !passes && cache.find_or_take(sector) ? 0 : 1;
    }
  }
  return met;
}

}  // namespace

// L1 has what shared memory leaves of an SM's memory, which is a little larger than the largest carveout.
std::optional<Residency> residency_of(const BlockResources& block, const Launch& launch, const Gpu& gpu) {
  constexpr int beyond_carveout = 28 << 10;  // [bytes] since compute capability 8.0
  const int blocks = occupancy(block, gpu.sm).blocks;
  if (blocks == 0) {
    return std::nullopt;
  }
  const int of_block = block.static_shared_bytes + block.dynamic_shared_bytes + gpu.sm.shared_bytes_reserved;
  const int preferred =
      static_cast<int>(std::int64_t{gpu.sm.shared_bytes} * launch.carveout_percent.value_or(0) / 100);
  const auto step = std::ranges::lower_bound(gpu.sm.carveouts, std::max(blocks * of_block, preferred));
  const int carveout =
      step == gpu.sm.carveouts.end() ? gpu.sm.shared_bytes : std::min(*step, gpu.sm.shared_bytes);
  return Residency{blocks, gpu.sm_count, static_cast<double>(gpu.sm.shared_bytes + beyond_carveout - carveout)};
}

std::optional<std::vector<double>> l1_missed_by_access(const Program& program, const ProgramLaunch& launch,
                                                       const KernelWork& work, const Residency& residency) {
  if (is_shared_with_others(program, launch)) {
    return std::nullopt;
  }
  constexpr std::size_t most_requests = 60'000, least_of_warp = 64;
  const std::vector<Dim3> blocks = blocks_of_sm(launch.launch.grid, residency);
  const auto warps =
      static_cast<std::size_t>((launch.launch.block.count() + lanes_of_warp - 1) / lanes_of_warp);
  SectorTrace trace(std::max(least_of_warp, most_requests / (warps * blocks.size())));
  BlockRun run(program, launch, {});
  run.trace(trace);
  Counts counts(program);
  for (const Dim3& block : blocks) {
    run.run(block, counts);
  }
  const auto met = met_by_instruction(program, trace, residency);
  std::vector<double> missed;
  for (const AccessWork& access : work.accesses) {
    const Met& here = met[static_cast<std::size_t>(access.instruction)];
    missed.push_back(access.counts.sectors * (here.sectors > 0 ? here.missed / here.sectors : 1));
  }
  return missed;
}

}  // namespace rooftile::ptx
