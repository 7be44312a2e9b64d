#include "analysis/ptx/work/memory_traffic.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "analysis/ptx/program/line_names.hpp"
#include "analysis/ptx/run/block_run.hpp"
#include "analysis/ptx/work/block_footprint.hpp"
#include "analysis/ptx/work/blocks_together.hpp"
#include "analysis/ptx/work/l2_cache.hpp"

namespace rooftile::ptx {
namespace {

// The shifts of `count` blocks from the first-th on, with how many blocks share each.
std::map<std::int64_t, double> shifts(const BlockFootprint& block, const Footprint& footprint,
                                      std::int64_t first, std::int64_t count) {
  std::map<std::int64_t, double> all;
  for (std::int64_t number = first; number < first + count; ++number) {
    all[block.shift(footprint, number)] += 1;
  }
  return all;
}

// Shifts that follow each other so closely that spans of `count` sectors touch, of equally many blocks.
struct Chain {
  std::int64_t first = 0, last = 0;
  double blocks = 0;
};

std::vector<Chain> chains_of(const std::map<std::int64_t, double>& shifts, std::uint64_t count) {
  std::vector<Chain> chains;
  for (const auto& [shift, blocks] : shifts) {
    if (!chains.empty() && chains.back().blocks == blocks &&
        shift <= chains.back().last + static_cast<std::int64_t>(count)) {
      chains.back().last = shift;
    } else {
      chains.push_back({shift, shift, blocks});
    }
  }
  return chains;
}

// Sectors that the cache was asked for, of those that stand for all.
class Asked {
 public:
  // Throws BudgetSpent after seconds of work.
  void add(double sectors) {
    constexpr double most = 4e8;
    sum_ += sectors;
    if (sum_ > most) {
      throw BudgetSpent("The blocks of the launch read too many different sectors to be followed through L2.");
    }
  }
  bool is_much() const { return sum_ > 1e8; }

 private:
  double sum_ = 0;
};

// readers_of_one: blocks of one part of L2, which count as one reader.
void touch(L2Cache& cache, const Footprint& footprint, const std::vector<Span>& part,
           const std::map<std::int64_t, double>& shifts, double readers_of_one, Asked& asked) {
  std::vector<Chain> chains;
  std::uint64_t count = 0;
  for (const Span& span : part) {
    if (span.count != count) {
      count = span.count;
      chains = chains_of(shifts, count);
    }
    for (const Chain& chain : chains) {
      const std::uint64_t sectors = count + static_cast<std::uint64_t>(chain.last - chain.first);
      asked.add(static_cast<double>(sectors) / cache.sampled() + 1);
      cache.touch(span.first + static_cast<std::uint64_t>(chain.first), sectors,
                  footprint.reads ? chain.blocks / readers_of_one : 0, footprint.writes);
    }
  }
}

L2Cache::Counts sum(const L2Cache::Counts& a, const L2Cache::Counts& b, double times) {
  return {a.read_first + times * b.read_first, a.read + times * b.read,       a.dirtied + times * b.dirtied,
          a.passed_on + times * b.passed_on,   a.brought + times * b.brought, a.held + times * b.held};
}

// Groups of the first `blocks` ones, one after the other. Once L2 was filled often, or after a second's work,
// the other groups go on as the last ones did.
L2Cache::Counts pass(const BlockFootprint& block, const Launch& launch, std::int64_t blocks, std::int64_t group,
                     double size, int parts, L2Cache& cache) {
  constexpr double filled_often = 2;
  constexpr std::size_t least_groups = 4;
  std::vector<L2Cache::Counts> after = {{}};
  std::int64_t done = 0;
  Asked asked;
  const auto is_enough = [&] {
    return after.size() > least_groups && (after.back().brought >= filled_often * size || asked.is_much());
  };
  while (done < blocks && !is_enough()) {
    const std::int64_t count = std::min(group, blocks - done);
    std::map<std::vector<std::int64_t>, std::map<std::int64_t, double>> all;
    for (const Footprint& footprint : block.footprints) {
      if (!all.contains(footprint.steps)) {
        all[footprint.steps] = shifts(block, footprint, done, count);
      }
    }
    for (int part = 0; part < parts; ++part) {
      cache.begin_step();
      for (const Footprint& footprint : block.footprints) {
        touch(cache, footprint, footprint.parts[static_cast<std::size_t>(part)], all[footprint.steps],
              blocks_of_one_gpc(block, footprint, launch), asked);
      }
    }
    after.push_back(cache.counts());
    done += count;
  }
  const std::size_t half = after.size() / 2;
  const double rest = static_cast<double>(blocks - done) / static_cast<double>(group);
  return sum(after.back(), sum(after.back(), after[half], -1),
             rest / std::max<double>(1, static_cast<double>(after.size() - 1 - half)));
}

struct Loaded {
  double loaded = 0, stored = 0;  // sectors that go on from L1 to L2
  double filled = 0;              // of those loaded, sectors that L1 keeps on their way to registers
};

Loaded beyond_l1(const Program& program, const KernelWork& work,
                 const std::optional<std::vector<double>>& missed) {
  Loaded all;
  for (std::size_t i = 0; i < work.accesses.size(); ++i) {
    const AccessWork& access = work.accesses[i];
    const Instruction& x = program.instructions[access.instruction];
    if (is_store(x) || is_atomic(x)) {
      all.stored += access.counts.sectors;
      continue;
    }
    const double sectors = missed ? (*missed)[i] : access.counts.sectors;
    all.loaded += sectors;
    all.filled += is_copy(x) ? 0 : sectors;
  }
  return all;
}

L2Cache cache_of(const ProgramLaunch& launch, const Gpu& gpu) {
  std::vector<std::uint64_t> buffers;
  for (const DeviceBuffer& buffer : launch.buffers) {
    buffers.push_back(buffer.bytes);
  }
  return {buffers, gpu.l2_size, closest_architecture(gpu.cc).two_part_l2};
}

// A line that comes to L1 takes the banks for a turn, and a wavefront that it meets is counted again. Counted
// on an H200: for one of 40 sectors, and for one of 20 wavefronts at most.
double displaced(double wavefronts, double filled_sectors) {
  constexpr double of_sectors = 0.025, of_wavefronts = 0.05;
  return std::min(of_sectors * filled_sectors, of_wavefronts * wavefronts);
}

// Each SM fetches the instructions, of which it keeps some; a launch itself takes a little. Counted on an H200.
Bytes fetched_past_l1(const KernelWork& work, const Launch& launch, const Gpu& gpu, const Architecture& chip) {
  constexpr double bytes_of_instruction = 16, of_launch = 60e3;
  const double sms = std::min<double>(gpu.sm_count, static_cast<double>(launch.grid.count()));
  const double of_sm = (chip.fetched_past_l1.value - of_launch) / gpu.sm_count;
  return {of_launch + sms * std::min(of_sm, bytes_of_instruction * work.code_instructions)};
}

}  // namespace

std::optional<MemoryTraffic> memory_traffic(const Program& program, const ProgramLaunch& launch,
                                            const KernelWork& work, const Residency& residency, const Gpu& gpu,
                                            Caches caches) {
  constexpr int parts = 8;
  const Architecture& chip = closest_architecture(gpu.cc);
  const auto missed = l1_missed_by_access(program, launch, work, residency);
  const auto [loaded, stored, filled] = beyond_l1(program, work, missed);
  const BlockFootprint block = block_footprint(program, launch, work.busiest_block, parts);
  const Together together = blocks_together(program, launch, work, loaded + stored, residency);
  const std::int64_t group = std::int64_t{together.blocks_of_sm} * residency.sms;
  L2Cache cache = cache_of(launch, gpu);
  const double size = gpu.l2_size.value / sector_bytes;
  const L2Cache::Counts passed =
      pass(block, launch.launch, std::llround(work.blocks_with_requests), group, size, parts, cache);
  const double lost = L2Cache::lost(passed.held / size, false);  // since the launch before
  const bool warm = caches == Caches::warm;
  const double own =
      chip.two_part_l2 ? 1 - together.in_time * joined_share(block, launch.launch, group, residency.sms) : 1;
  MemoryTraffic traffic;
  if (missed) {
    traffic.l1_missed_sectors = std::accumulate(missed->begin(), missed->end(), 0.0);
  }
  traffic.dram_read.value = sector_bytes * (passed.read + (warm ? lost : 1) * passed.read_first);
  traffic.dram_written.value =
      sector_bytes * (warm ? lost * passed.dirtied : passed.dirtied - cache.unwritten());
  traffic.between_l2_parts.value = sector_bytes * ((chip.two_part_l2 ? 0.5 : 0) * stored + passed.passed_on);
  traffic.l2 = Bytes{sector_bytes * (own * loaded + stored)} + traffic.between_l2_parts +
               fetched_past_l1(work, launch.launch, gpu, chip);
  traffic.displaced_wavefronts = displaced(work.shared_wavefronts, filled);
  traffic.at_least = !block.is_whole;
  return traffic;
}

}  // namespace rooftile::ptx
