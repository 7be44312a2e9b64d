#include "analysis/ptx/work/memory_traffic.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "analysis/ptx/work/block_footprint.hpp"
#include "analysis/ptx/work/l2_cache.hpp"

namespace rooftile::ptx {
namespace {

bool is_load(const Instruction& x) {
  return x.op != Op::st && x.op != Op::atom && x.op != Op::red;
}

// Cycles that the work takes on one SM's pipes, of all SMs together.
double busy_cycles(const KernelWork& work) {
  constexpr double issued_per_cycle = 4, sectors_per_cycle = 4;
  double instructions = 0;
  for (const auto& [kind, warps] : work.warp_instructions) {
    instructions += warps;
  }
  return std::max(instructions / issued_per_cycle,
                  work.shared_wavefronts + work.global_sectors / sectors_per_cycle);
}

// The blocks of an SM that run in step. An SM serves its oldest warps first, and warps beyond those that keep
// it busy fall behind by the whole life of a block. Two warps of a scheduler take turns. Of more that copy
// ahead with cp.async, and so hardly wait, one is enough; of those that wait for their loads, four are. Where
// memory is slower than the SM, all of them wait, and stay together.
int blocks_in_step(const Program& program, const ProgramLaunch& launch, const KernelWork& work,
                   double missed_sectors, const Residency& residency) {
  constexpr double bytes_per_cycle = 16;  // that an SM gets of L2
  constexpr int schedulers = 4, taking_turns = 2 * schedulers, copying = schedulers, waiting = 4 * schedulers;
  const auto warps = static_cast<int>((launch.launch.block.count() + lanes_of_warp - 1) / lanes_of_warp);
  const bool copies = std::ranges::any_of(work.accesses, [&](const AccessWork& access) {
    return program.instructions[access.instruction].op == Op::cp_async;
  });
  if (warps * residency.blocks <= taking_turns ||
      (!copies && sector_bytes * missed_sectors > bytes_per_cycle * busy_cycles(work))) {
    return residency.blocks;
  }
  return std::clamp((copies ? copying : waiting) / warps, 1, residency.blocks);
}

// The shifts of `count` blocks from the first-th on, with how many blocks share each.
std::map<std::int64_t, double> shifts(const BlockFootprint& block, const Footprint& footprint,
                                      std::int64_t first, std::int64_t count) {
  std::map<std::int64_t, double> all;
  for (std::int64_t number = first; number < first + count; ++number) {
    all[block.shift(footprint, number)] += 1;
  }
  return all;
}

// Sectors side by side that equally many blocks read are touched together.
void touch(L2Cache& cache, const Footprint& footprint, const std::vector<Span>& part,
           const std::map<std::int64_t, double>& shifts) {
  for (const Span& span : part) {
    for (auto shift = shifts.begin(); shift != shifts.end();) {
      const auto [begin, blocks] = *shift;
      std::int64_t end = begin + static_cast<std::int64_t>(span.count);
      for (++shift; shift != shifts.end() && shift->first <= end && shift->second == blocks; ++shift) {
        end = shift->first + static_cast<std::int64_t>(span.count);
      }
      cache.touch(span.first + static_cast<std::uint64_t>(begin), static_cast<std::uint64_t>(end - begin),
                  footprint.reads ? blocks : 0, footprint.writes);
    }
  }
}

L2Cache::Counts sum(const L2Cache::Counts& a, const L2Cache::Counts& b, double times) {
  return {a.read_first + times * b.read_first, a.read + times * b.read,       a.dirtied + times * b.dirtied,
          a.passed_on + times * b.passed_on,   a.brought + times * b.brought, a.held + times * b.held};
}

// Groups of blocks one after the other. Once L2 was filled often, the other groups go on as the last ones did.
L2Cache::Counts pass(const BlockFootprint& block, const Dim3& grid, std::int64_t group, double size, int parts,
                     L2Cache& cache) {
  constexpr double filled_often = 3;
  constexpr std::size_t least_groups = 4;
  std::vector<L2Cache::Counts> after = {{}};
  std::int64_t done = 0;
  while (done < grid.count() && (after.size() <= least_groups || after.back().brought < filled_often * size)) {
    const std::int64_t count = std::min(group, grid.count() - done);
    std::map<std::vector<std::int64_t>, std::map<std::int64_t, double>> all;
    for (const Footprint& footprint : block.footprints) {
      if (!all.contains(footprint.steps)) {
        all[footprint.steps] = shifts(block, footprint, done, count);
      }
    }
    for (int part = 0; part < parts; ++part) {
      cache.begin_step();
      for (const Footprint& footprint : block.footprints) {
        touch(cache, footprint, footprint.parts[static_cast<std::size_t>(part)], all[footprint.steps]);
      }
    }
    after.push_back(cache.counts());
    done += count;
  }
  const std::size_t half = after.size() / 2;
  const double rest = static_cast<double>(grid.count() - done) / static_cast<double>(group);
  return sum(after.back(), sum(after.back(), after[half], -1),
             rest / std::max<double>(1, static_cast<double>(after.size() - 1 - half)));
}

}  // namespace

std::optional<MemoryTraffic> memory_traffic(const Program& program, const ProgramLaunch& launch,
                                            const KernelWork& work, const Residency& residency, const Gpu& gpu,
                                            Caches caches) {
  if (std::ranges::any_of(program.instructions, [](const Instruction& x) { return x.op == Op::cp_bulk; })) {
    return std::nullopt;
  }
  MemoryTraffic traffic;
  const Architecture& chip = closest_architecture(gpu.cc);
  const auto missed = l1_missed_by_access(program, launch, work, residency);
  double loaded = 0, stored = 0;
  for (std::size_t i = 0; i < work.accesses.size(); ++i) {
    const AccessWork& access = work.accesses[i];
    const bool load = is_load(program.instructions[access.instruction]);
    (load ? loaded : stored) += load && missed ? (*missed)[i] : access.counts.sectors;
  }
  if (missed) {
    traffic.l1_missed_sectors = std::accumulate(missed->begin(), missed->end(), 0.0);
  }
  constexpr int parts = 8;
  const BlockFootprint block = block_footprint(program, launch, parts);
  std::vector<std::uint64_t> buffers;
  for (const DeviceBuffer& buffer : launch.buffers) {
    buffers.push_back(buffer.bytes);
  }
  L2Cache cache(buffers, gpu.l2_size, chip.two_part_l2);
  const int in_step = blocks_in_step(program, launch, work, loaded + stored, residency);
  const L2Cache::Counts passed = pass(block, launch.launch.grid, std::int64_t{in_step} * residency.sms,
                                      gpu.l2_size.value / sector_bytes, parts, cache);
  const double lost =
      L2Cache::lost(passed.held * sector_bytes / gpu.l2_size.value, false);  // since the launch before
  const bool warm = caches == Caches::warm;
  traffic.dram_read.value = sector_bytes * (passed.read + (warm ? lost : 1) * passed.read_first);
  traffic.dram_written.value =
      sector_bytes * (warm ? lost * passed.dirtied : passed.dirtied - cache.unwritten());
  traffic.l2.value = sector_bytes * (loaded + (chip.two_part_l2 ? 1.5 : 1) * stored + passed.passed_on) +
                     chip.fetched_past_l1.value;
  traffic.at_least = !block.is_whole;
  return traffic;
}

}  // namespace rooftile::ptx
