#include "analysis/ptx/work/l1_cache.hpp"

#include <algorithm>
#include <list>
#include <tuple>
#include <unordered_map>

#include "analysis/ptx/run/sector_trace.hpp"

namespace rooftile::ptx {
namespace {

constexpr std::uint64_t sectors_of_line = 4, bytes_of_line = 128;

// Lines of four sectors, each of which comes by itself.
class LinesUsedLast {
 public:
  explicit LinesUsedLast(std::size_t capacity) : capacity_(std::max<std::size_t>(capacity, 1)) {}

  bool find_or_take(std::uint64_t sector) {
    const std::uint64_t number = sector / sectors_of_line;
    const auto bit = static_cast<std::uint8_t>(1U << sector % sectors_of_line);
    const auto known = lines_.find(number);
    if (known == lines_.end()) {
      take(number, bit);
      return false;
    }
    order_.splice(order_.end(), order_, known->second.place);
    const bool held = (known->second.sectors & bit) != 0;
    known->second.sectors |= bit;
    return held;
  }

 private:
  struct Line {
    std::uint8_t sectors;
    std::list<std::uint64_t>::iterator place;
  };
  void take(std::uint64_t number, std::uint8_t bit) {
    if (lines_.size() >= capacity_) {
      lines_.erase(order_.front());
      order_.pop_front();
    }
    lines_[number] = {bit, order_.insert(order_.end(), number)};
  }

  std::size_t capacity_;
  std::list<std::uint64_t> order_;  // the one that was used longest ago comes first
  std::unordered_map<std::uint64_t, Line> lines_;
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

std::unordered_map<std::int32_t, Met> met_by_instruction(const Program& program, const SectorTrace& trace,
                                                         const Residency& residency) {
  std::vector<const SectorRequest*> in_step;
  for (const SectorRequest& request : trace.requests) {
    in_step.push_back(&request);
  }
  std::ranges::stable_sort(in_step, {}, &SectorRequest::time);
  LinesUsedLast cache(static_cast<std::size_t>(residency.l1_bytes / bytes_of_line));
  std::unordered_map<std::int32_t, Met> met;
  for (const SectorRequest* request : in_step) {
    Met& here = met[request->instruction];
    const bool passes = passes_l1(program, program.instructions[request->instruction]);
    here.sectors += request->count;
    for (int i = 0; i < request->count; ++i) {
      const bool held =
          !passes && cache.find_or_take(trace.sectors[request->first + static_cast<std::size_t>(i)]);
      here.missed += held ? 0 : 1;
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
  const int preferred = gpu.sm.shared_bytes * launch.carveout_percent.value_or(0) / 100;
  const auto step = std::ranges::lower_bound(gpu.sm.carveouts, std::max(blocks * of_block, preferred));
  const int carveout = step == gpu.sm.carveouts.end() ? gpu.sm.shared_bytes : *step;
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
    const auto found = met.find(access.instruction);
    const bool seen = found != met.end() && found->second.sectors > 0;
    missed.push_back(access.counts.sectors * (seen ? found->second.missed / found->second.sectors : 1));
  }
  return missed;
}

}  // namespace rooftile::ptx
