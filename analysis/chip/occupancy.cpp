#include "analysis/chip/occupancy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

constexpr int registers_per_warp_unit = 256;
constexpr int partitions_of_launch_check = 4;

using Whole = std::int64_t;  // sums and products of any two ints fit

Whole divide_up(Whole value, Whole divisor) {
  return (value + divisor - 1) / divisor;
}
Whole round_up(Whole value, Whole unit) {
  return divide_up(value, unit) * unit;
}
Whole warps_of(const BlockResources& block) {
  return divide_up(block.threads, warp_size);
}
Whole shared_bytes(const BlockResources& block) {
  return Whole{block.static_shared_bytes} + block.dynamic_shared_bytes;
}

// A session may name any numbers; within these bounds nothing below divides by 0, overflows or runs for long.
bool is_known(const SmLimits& sm) {
  constexpr int largest = 1 << 24, smallest_unit = 32;
  const auto in_range = [](int value, int lowest) { return value >= lowest && value <= largest; };
  return in_range(sm.warps, 1) && in_range(sm.blocks, 1) && in_range(sm.registers, 1) &&
         in_range(sm.sub_partitions, 1) && in_range(sm.shared_bytes, 0) &&
         in_range(sm.shared_bytes_per_block_optin, 0) && in_range(sm.shared_bytes_reserved, 0) &&
         in_range(sm.shared_allocation_unit, smallest_unit);
}

BlockLimit warp_limit(const BlockResources& block, const SmLimits& sm) {
  const bool legal = block.threads > 0 && block.threads <= max_threads_per_block;
  return {.limiter = Limiter::warps,
          .blocks = legal ? static_cast<int>(sm.warps / warps_of(block)) : 0,
          .used = block.threads,
          .allocated = warps_of(block) * warp_size,
          .capacity = Whole{sm.warps} * warp_size};
}

// Registers are handed to whole warps out of the sub-partition a warp runs in. The hardware checks a block as
// if it filled four sub-partitions evenly, also where there are only two.
std::optional<int> blocks_by_registers(const BlockResources& block, const SmLimits& sm, Whole per_warp) {
  if (block.registers_per_thread == 0 || block.threads <= 0) {
    return {};
  }
  if (block.registers_per_thread < 0 || block.registers_per_thread > max_registers_per_thread) {
    return 0;
  }
  const Whole warps = warps_of(block);
  const bool launches = per_warp * round_up(warps, partitions_of_launch_check) <= sm.registers;
  const Whole resident_warps = sm.registers / sm.sub_partitions / per_warp * sm.sub_partitions;
  return launches ? static_cast<int>(resident_warps / warps) : 0;
}

BlockLimit register_limit(const BlockResources& block, const SmLimits& sm) {
  const Whole per_warp = round_up(Whole{block.registers_per_thread} * warp_size, registers_per_warp_unit);
  return {.limiter = Limiter::registers,
          .blocks = blocks_by_registers(block, sm, per_warp),
          .used = Whole{block.registers_per_thread} * block.threads,
          .allocated = per_warp * warps_of(block),
          .capacity = sm.registers};
}

// The smallest carveout of at least this size; the largest where none is.
Whole carveout_of(Whole bytes, const SmLimits& sm) {
  const auto step = std::ranges::lower_bound(sm.carveouts, bytes);
  return std::max<Whole>(step == sm.carveouts.end() ? sm.shared_bytes : *step, 0);
}

std::optional<int> blocks_by_shared(const SmLimits& sm, const BlockLimit& room) {
  const Whole taken = room.used + sm.shared_bytes_reserved;
  if (taken == 0) {
    return {};
  }
  const bool legal = taken > 0 && room.used <= sm.shared_bytes_per_block_optin;
  return legal ? static_cast<int>(room.capacity / room.allocated) : 0;
}

// A preferred carveout that is too small for one block is raised until one fits.
BlockLimit shared_limit(const BlockResources& block, const SmLimits& sm) {
  BlockLimit limit{.limiter = Limiter::shared_memory, .blocks = {}, .used = shared_bytes(block)};
  limit.allocated = round_up(limit.used + sm.shared_bytes_reserved, sm.shared_allocation_unit);
  const Whole preferred = Whole{sm.shared_bytes} * block.carveout_percent.value_or(100) / 100;
  limit.capacity = carveout_of(std::max(preferred, limit.allocated), sm);
  limit.blocks = blocks_by_shared(sm, limit);
  return limit;
}

BlockLimit barrier_limit(const BlockResources& block, const SmLimits& sm) {
  BlockLimit limit{.limiter = Limiter::barriers,
                   .blocks = {},
                   .used = block.named_barriers,
                   .allocated = block.named_barriers,
                   .capacity = sm.named_barriers};
  if (sm.named_barriers > 0 && block.named_barriers > 0) {
    limit.blocks = sm.named_barriers / block.named_barriers;
  }
  return limit;
}

BlockLimit slot_limit(const SmLimits& sm) {
  return {
      .limiter = Limiter::block_slots, .blocks = sm.blocks, .used = 1, .allocated = 1, .capacity = sm.blocks};
}

BlockResources changed(BlockResources block, Limiter resource, int step) {
  (resource == Limiter::registers ? block.registers_per_thread : block.dynamic_shared_bytes) += step;
  return block;
}

bool possible(const BlockResources& block, const SmLimits& sm) {
  return block.static_shared_bytes >= 0 && block.registers_per_thread >= 1 &&
         block.registers_per_thread <= max_registers_per_thread && shared_bytes(block) >= 0 &&
         shared_bytes(block) <= sm.shared_bytes_per_block_optin;
}

bool is_a_step_from_possible(const BlockResources& block, const SmLimits& sm) {
  const Whole most_shared = Whole{sm.shared_bytes_per_block_optin} + sm.shared_allocation_unit;
  return block.registers_per_thread >= 0 && block.registers_per_thread <= max_registers_per_thread + 1 &&
         std::min(block.static_shared_bytes, block.dynamic_shared_bytes) >= 0 &&
         shared_bytes(block) <= most_shared;
}

// Walks away from the block in equal strides until another number of blocks fits.
std::optional<Cliff> walk(const BlockResources& block, const SmLimits& sm, Limiter resource, int first,
                          int stride) {
  const Occupancy before = occupancy(block, sm);
  for (int step = first; possible(changed(block, resource, step), sm); step += stride) {
    const Occupancy after = occupancy(changed(block, resource, step), sm);
    if (after.blocks != before.blocks) {
      return Cliff{resource, step, before.blocks, after.blocks, before.ratio(), after.ratio()};
    }
  }
  return {};
}

// How much of an SM a step takes, so that registers and bytes can be compared.
double share_of_sm(const Cliff& cliff, const BlockResources& block, const SmLimits& sm) {
  const double step = std::abs(cliff.step);
  return cliff.limiter == Limiter::registers ? step * block.threads / sm.registers : step / sm.shared_bytes;
}

}  // namespace

std::string_view key(Limiter limiter) {
  constexpr std::array<std::string_view, limiters.size()> keys = {"warps", "registers", "shared_memory",
                                                                  "block_slots", "barriers"};
  return keys[static_cast<std::size_t>(limiter)];
}

std::string_view title(Limiter limiter) {
  constexpr std::array<std::string_view, limiters.size()> titles = {"Warps", "Registers", "Shared memory",
                                                                    "Block slots", "Barriers"};
  return titles[static_cast<std::size_t>(limiter)];
}

Occupancy occupancy(const BlockResources& block, const SmLimits& sm) {
  Occupancy result;
  if (!is_known(sm)) {
    return result;
  }
  result.limits = {warp_limit(block, sm), register_limit(block, sm), shared_limit(block, sm), slot_limit(sm),
                   barrier_limit(block, sm)};
  result.blocks = sm.blocks;
  for (const BlockLimit& limit : result.limits) {
    result.blocks = std::min(result.blocks, limit.blocks.value_or(result.blocks));
  }
  for (BlockLimit& limit : result.limits) {
    limit.binds = limit.blocks == result.blocks;
  }
  result.warps = static_cast<int>(result.blocks * warps_of(block));
  result.max_warps = sm.warps;
  return result;
}

std::optional<int> most_shared_bytes(int blocks, const SmLimits& sm) {
  if (!is_known(sm) || blocks < 1) {
    return std::nullopt;
  }
  const int share = sm.shared_bytes / blocks / sm.shared_allocation_unit * sm.shared_allocation_unit;
  const int left = std::min(share - sm.shared_bytes_reserved, sm.shared_bytes_per_block_optin);
  return left >= 0 ? std::optional(left) : std::nullopt;
}

std::vector<Cliff> cliffs(const BlockResources& block, const SmLimits& sm) {
  const int unit = sm.shared_allocation_unit;
  if (!is_known(sm) || !is_a_step_from_possible(block, sm)) {
    return {};
  }
  // Shared memory changes the count only where its allocation passes a unit.
  const int used = static_cast<int>(shared_bytes(block)) + sm.shared_bytes_reserved;
  const int allocated = static_cast<int>(round_up(used, unit));
  std::vector<Cliff> found;
  for (const auto& cliff :
       {walk(block, sm, Limiter::registers, 1, 1), walk(block, sm, Limiter::registers, -1, -1),
        walk(block, sm, Limiter::shared_memory, allocated - used + 1, unit),
        walk(block, sm, Limiter::shared_memory, allocated - used - unit, -unit)}) {
    if (cliff) {
      found.push_back(*cliff);
    }
  }
  return found;
}

std::optional<Cliff> next_cliff(const BlockResources& block, const SmLimits& sm) {
  const auto all = cliffs(block, sm);
  const auto share = [&](const Cliff& cliff) { return share_of_sm(cliff, block, sm); };
  const auto nearest = std::ranges::min_element(all, {}, share);
  return nearest == all.end() ? std::nullopt : std::optional(*nearest);
}

std::string text(const Cliff& cliff) {
  const int step = std::abs(cliff.step);
  const std::string unit = cliff.limiter == Limiter::registers ? "register" : "byte";
  return fmt::format("{} {} {}{} {}: {} -> {} blocks, occupancy {} -> {}", count(step),
                     cliff.step > 0 ? "more" : "fewer", unit, step == 1 ? "" : "s",
                     cliff.limiter == Limiter::registers ? "per thread" : "of shared memory per block",
                     count(cliff.blocks_before), count(cliff.blocks_after), percent(cliff.ratio_before),
                     percent(cliff.ratio_after));
}

BlockResources resources_of(const Launch& launch, const std::optional<Compiled>& compiled) {
  BlockResources block;
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  block.threads = static_cast<int>(std::min(launch.block.count(), most));
  block.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  block.carveout_percent = launch.carveout_percent;
  if (compiled) {
    block.registers_per_thread = compiled->registers;
    block.static_shared_bytes = compiled->static_shared_bytes;
    block.named_barriers = compiled->named_barriers.value_or(block.named_barriers);
  }
  return block;
}

}  // namespace rooftile
