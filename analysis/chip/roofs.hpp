// How fast the memory levels and the pipes of a GPU are, and where each figure comes from.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/chip/gpu.hpp"
#include "analysis/chip/memory_level.hpp"
#include "analysis/chip/pipe.hpp"
#include "analysis/text/units.hpp"

namespace rooftile {

enum class Origin { measured, spec, datasheet };  // our microbenchmark; counters x clock; quoted
std::string_view key(Origin origin);

struct MemoryRoof {
  MemoryLevel level = MemoryLevel::dram;
  BytesPerSecond bandwidth;
  Origin origin = Origin::datasheet;
  std::string source;  // how the number came about, for the reader
  bool operator==(const MemoryRoof&) const = default;
};

struct ComputeRoof {
  std::string pipe;  // one of `pipes`
  FlopsPerSecond peak;
  Origin origin = Origin::datasheet;
  std::string source;
  // Measured over a time long enough for the power limit to act; empty where no longer run was made.
  std::optional<FlopsPerSecond> sustained = {};
  bool operator==(const ComputeRoof&) const = default;
};
// "65.0 TFLOP/s"; of pipes for integers "33.1 TOP/s", of warp issue "1.04 Tinst/s".
std::string text(FlopsPerSecond rate, std::string_view pipe);
inline std::string text(const ComputeRoof& roof) {
  return text(roof.peak, roof.pipe);
}

struct Roofs {
  std::string gpu;
  std::vector<MemoryRoof> memory;
  std::vector<ComputeRoof> compute;

  // The best evidence there is: measured, else spec, else datasheet; or exactly `origin` when given.
  const MemoryRoof* find(MemoryLevel level, std::optional<Origin> origin = {}) const;
  const ComputeRoof* find(const std::string& pipe, std::optional<Origin> origin = {}) const;
  void add(const Roofs& more);
  bool operator==(const Roofs&) const = default;
};

// Roofs from a datasheet row alone: DRAM and the pipes as quoted; caches, shared memory, integers and issue
// from what an SM does per clock.
Roofs datasheet_roofs(const Gpu& gpu);

}  // namespace rooftile
