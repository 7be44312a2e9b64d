// The table of what one SM offers, by compute capability: one row each, the only place with these numbers.
#include <array>

#include "analysis/banks.hpp"
#include "analysis/gpu.hpp"

namespace rooftile {
namespace {

constexpr int kib = 1024;

struct Row {
  ComputeCapability cc;
  int threads;
  int blocks;
  int sub_partitions;
  int shared_kib;
  int shared_per_block_optin_kib;
  int shared_reserved_kib;
  int shared_allocation_unit;
  int barriers_per_block_slot;  // named barriers of an SM, as a multiple of its block slots; 0: no limit
};

// Barriers bind from compute capability 9.0 on.
constexpr std::array rows = {
    Row{{6, 0}, 2048, 32, 2, 64, 48, 0, 256, 0},    Row{{7, 0}, 2048, 32, 4, 96, 96, 0, 256, 0},
    Row{{7, 5}, 1024, 16, 4, 64, 64, 0, 256, 0},    Row{{8, 0}, 2048, 32, 4, 164, 163, 1, 128, 0},
    Row{{8, 6}, 1536, 16, 4, 100, 99, 1, 128, 0},   Row{{8, 7}, 1536, 16, 4, 164, 163, 1, 128, 0},
    Row{{8, 9}, 1536, 24, 4, 100, 99, 1, 128, 0},   Row{{9, 0}, 2048, 32, 4, 228, 227, 1, 128, 2},
    Row{{10, 0}, 2048, 32, 4, 228, 227, 1, 128, 2}, Row{{10, 3}, 2048, 32, 4, 228, 227, 1, 128, 2},
    Row{{11, 0}, 1536, 24, 4, 228, 227, 1, 128, 1}, Row{{12, 0}, 1536, 24, 4, 100, 99, 1, 128, 1},
    Row{{12, 1}, 1536, 24, 4, 100, 99, 1, 128, 1},
};

// The driver splits one memory between L1 and shared memory in these steps, up to all the SM has.
// Pascal's shared memory is a memory of its own; Turing has two steps.
std::vector<int> carveouts(const Row& row) {
  if (row.cc.major == 6) {
    return {row.shared_kib * kib};
  }
  if (row.cc == ComputeCapability{7, 5}) {
    return {32 * kib, 64 * kib};
  }
  const std::vector<int> steps_kib = row.cc.major == 7 ? std::vector{0, 8, 16, 32, 64, 96}
                                                       : std::vector{0, 8, 16, 32, 64, 100, 132, 164, 196, 228};
  std::vector<int> steps;
  for (const int step : steps_kib) {
    if (step <= row.shared_kib) {
      steps.push_back(step * kib);
    }
  }
  return steps;
}

SmLimits limits(const Row& row) {
  SmLimits sm;
  sm.threads = row.threads;
  sm.warps = row.threads / warp_size;
  sm.blocks = row.blocks;
  sm.registers = 64 * kib;
  sm.sub_partitions = row.sub_partitions;
  sm.shared_bytes = row.shared_kib * kib;
  sm.shared_bytes_per_block = 48 * kib;
  sm.shared_bytes_per_block_optin = row.shared_per_block_optin_kib * kib;
  sm.shared_bytes_reserved = row.shared_reserved_kib * kib;
  sm.shared_allocation_unit = row.shared_allocation_unit;
  sm.named_barriers = row.barriers_per_block_slot * row.blocks;
  sm.carveouts = carveouts(row);
  return sm;
}

}  // namespace

std::optional<SmLimits> sm_limits(ComputeCapability cc) {
  for (const Row& row : rows) {
    if (row.cc == cc) {
      return limits(row);
    }
  }
  return {};
}

}  // namespace rooftile
