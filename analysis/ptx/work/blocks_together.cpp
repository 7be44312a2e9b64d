#include "analysis/ptx/work/blocks_together.hpp"

#include <algorithm>
#include <cmath>

namespace rooftile::ptx {
namespace {

// That the work takes on the pipes of the SMs, of all SMs together.
double busy_cycles(const KernelWork& work) {
  constexpr double issued_per_cycle = 4, sectors_per_cycle = 4;
  double instructions = 0;
  for (const auto& [kind, warps] : work.warp_instructions) {
    instructions += warps;
  }
  return std::max(instructions / issued_per_cycle,
                  work.shared_wavefronts + work.global_sectors / sectors_per_cycle);
}

// Blocks side by side that read the same.
std::int64_t neighbours(const BlockFootprint& block, const Footprint& footprint, std::int64_t blocks) {
  const bool share = footprint.reads && !footprint.steps.empty() && footprint.steps[0] == 0;
  return !share ? 1 : block.units.size() > 1 ? block.units[1] : blocks;
}

double sectors_of(const Footprint& footprint) {
  double all = 0;
  for (const std::vector<Span>& part : footprint.parts) {
    for (const Span& span : part) {
      all += static_cast<double>(span.count);
    }
  }
  return all;
}

}  // namespace

Together blocks_together(const Program& program, const ProgramLaunch& launch, const KernelWork& work,
                         double sectors_beyond_l1, const Residency& residency) {
  constexpr double bytes_per_cycle = 16;  // that an SM gets of L2
  constexpr int schedulers = 4, taking_turns = 2 * schedulers, copying = schedulers, waiting = 4 * schedulers;
  constexpr double all_in_step = 0.8, some_in_step = 0.4;  // chosen on sgemm_vectorized and sgemm_tiled
  const bool copies = std::ranges::any_of(work.accesses, [&](const AccessWork& access) {
    return program.instructions[access.instruction].op == Op::cp_async;
  });
  const auto warps = static_cast<int>((launch.launch.block.count() + lanes_of_warp - 1) / lanes_of_warp);
  const bool memory_is_slower = sector_bytes * sectors_beyond_l1 > bytes_per_cycle * busy_cycles(work);
  const bool all = warps * residency.blocks <= taking_turns || (!copies && memory_is_slower);
  const int in_step =
      all ? residency.blocks : std::clamp((copies ? copying : waiting) / warps, 1, residency.blocks);
  return {in_step, copies ? 0 : in_step == residency.blocks ? all_in_step : some_in_step};
}

double blocks_of_one_gpc(const BlockFootprint& block, const Footprint& footprint, const Launch& launch) {
  const std::int64_t of_cluster = launch.cluster.count();
  return neighbours(block, footprint, launch.grid.count()) == of_cluster ? static_cast<double>(of_cluster) : 1;
}

double joined_share(const BlockFootprint& block, const Launch& launch, std::int64_t group, int sms) {
  constexpr double sms_of_gpc = 16;
  const double gpcs = std::max(1.0, std::floor(sms / sms_of_gpc));
  double all = 0, joined = 0;
  for (const Footprint& footprint : block.footprints) {
    const auto readers =
        static_cast<double>(std::min(neighbours(block, footprint, launch.grid.count()), group));
    const bool one_gpc = blocks_of_one_gpc(block, footprint, launch) > 1;
    const double requests = one_gpc ? 1 : gpcs * (1 - std::pow(1 - 1 / gpcs, readers));
    const double sectors = footprint.reads ? sectors_of(footprint) : 0;
    all += sectors;
    joined += sectors * (1 - requests / readers);
  }
  return all > 0 ? joined / all : 0;
}

}  // namespace rooftile::ptx
