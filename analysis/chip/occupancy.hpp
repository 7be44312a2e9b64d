// Theoretical occupancy: how many blocks of a kernel fit on one SM, and which limit binds.
// Rules: those of cuda_occupancy.h (CUDA 13.0), held against it by a property test.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/chip/gpu.hpp"
#include "analysis/chip/launch.hpp"

namespace rooftile {

inline constexpr int max_threads_per_block = 1024, max_registers_per_thread = 255;  // of every chip since 2.0

struct BlockResources {
  int threads = 0;
  int registers_per_thread = 0;  // 0: no limit
  int static_shared_bytes = 0;
  int dynamic_shared_bytes = 0;
  int named_barriers = 1;
  std::optional<int> carveout_percent = {};  // preferred share of the SM's shared memory; empty: the largest
};

// compiled: if empty, registers and static shared memory limit nothing.
BlockResources resources_of(const Launch& launch, const std::optional<Compiled>& compiled);

enum class Limiter { warps, registers, shared_memory, block_slots, barriers };
inline constexpr std::array limiters = {Limiter::warps, Limiter::registers, Limiter::shared_memory,
                                        Limiter::block_slots, Limiter::barriers};
std::string_view key(Limiter limiter);    // "warps", "registers", "shared_memory", "block_slots", "barriers"
std::string_view title(Limiter limiter);  // "Warps", "Registers", "Shared memory", "Block slots", "Barriers"

struct BlockLimit {
  Limiter limiter;
  std::optional<int> blocks;  // blocks of one SM if this were the only limit; empty: it does not limit
  bool binds = false;
  // In threads, registers, bytes, blocks or barriers. used: what one block asks for; allocated: what it is
  // given after rounding up; capacity: what the SM has.
  std::int64_t used = 0, allocated = 0, capacity = 0;
};

struct Occupancy {
  int blocks = 0;     // resident blocks on one SM
  int warps = 0;      // resident warps on one SM
  int max_warps = 0;  // warps one SM can hold; 0: its limits are not known
  std::vector<BlockLimit> limits;
  double ratio() const { return max_warps > 0 ? static_cast<double>(warps) / max_warps : 0; }
};

Occupancy occupancy(const BlockResources& block, const SmLimits& sm);

// The most bytes per block, static and dynamic, with which so many blocks still fit by shared memory alone: an
// SM's bytes divided by the blocks, less what the system keeps of every block. Empty where no block may have so
// little.
std::optional<int> most_shared_bytes(int blocks, const SmLimits& sm);

// The change of one resource that would lose or gain a resident block.
struct Cliff {
  Limiter limiter;
  int step = 0;  // registers per thread, or bytes of shared memory per block; to add, or below zero to save
  int blocks_before = 0, blocks_after = 0;
  double ratio_before = 0, ratio_after = 0;
};
// The nearest cliffs: more and fewer registers, more and less shared memory. A cliff that does not exist is
// left out.
std::vector<Cliff> cliffs(const BlockResources& block, const SmLimits& sm);
// The cliff that takes the smallest share of an SM.
std::optional<Cliff> next_cliff(const BlockResources& block, const SmLimits& sm);
std::string text(const Cliff& cliff);  // "1 more register per thread: 2 -> 1 blocks, occupancy 100 -> 50 %"

}  // namespace rooftile
