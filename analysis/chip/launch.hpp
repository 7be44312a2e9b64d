// A launch, whatever the kernel: the shape of its grid, and what the compiler made of the kernel.
#pragma once

#include <cstdint>
#include <optional>

#include "analysis/chip/architecture.hpp"

namespace rooftile {

struct Dim3 {
  int x = 1, y = 1, z = 1;
  std::int64_t count() const { return std::int64_t{1} * x * y * z; }
  bool operator==(const Dim3&) const = default;
};

struct Launch {
  Dim3 grid, block;
  int dynamic_shared_bytes = 0;
  Dim3 cluster = {};  // in blocks
  std::optional<int> carveout_percent =
      {};                    // preferred share of the largest shared memory; empty: the driver's choice
  bool cooperative = false;  // all blocks are resident at once, so that grid.sync() can wait for them
  bool operator==(const Launch&) const = default;
};

enum class Caches { cold, warm };

struct Compiled {
  ComputeCapability cc;
  int registers = 0;
  int static_shared_bytes = 0;
  int local_bytes = 0;  // per thread; spilled registers are here
  int spill_store_bytes = 0;
  int spill_load_bytes = 0;
  bool from_cache = false;
  bool from_table = false;                   // from the bundled table: nothing was compiled here
  std::optional<int> named_barriers = {};    // per block; older sessions do not say
  std::optional<bool> half_arithmetic = {};  // adds or multiplies in FP16 or BF16 outside of tensor cores
  bool operator==(const Compiled&) const = default;
};

}  // namespace rooftile
