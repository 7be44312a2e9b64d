// How fast the memory levels and the pipes of a GPU are, and where each figure comes from.
#pragma once

#include <array>
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

// Time that no bandwidth shortens. Lanes that draw their words at random seldom meet; lanes of one word always
// do. Remote: in the shared memory of another block of the cluster.
enum class Pace {
  l1_load,
  l2_load,
  dram_load,
  block_start,
  cluster_barrier,
  l2_atomic,
  l2_atomic_of_one_word,
  remote_atomic,
  remote_atomic_of_one_word
};
inline constexpr std::array all_paces = {Pace::l1_load,
                                         Pace::l2_load,
                                         Pace::dram_load,
                                         Pace::block_start,
                                         Pace::cluster_barrier,
                                         Pace::l2_atomic,
                                         Pace::l2_atomic_of_one_word,
                                         Pace::remote_atomic,
                                         Pace::remote_atomic_of_one_word};
std::string_view key(Pace pace);    // "l2_load"
std::string_view title(Pace pace);  // "load that hits L2"
bool needs_clusters(Pace pace);

struct PaceFigure {
  Pace pace = Pace::l1_load;
  // Cycles of the boost clock until a load that hits is there, or until the blocks of a cluster have met. A
  // start is per block of a launch. An atomic is per lane: of one SM while all SMs work, and on one word of all
  // SMs.
  double cycles = 0;
  Origin origin = Origin::datasheet;
  std::string source;
  bool operator==(const PaceFigure&) const = default;
};

struct Roofs {
  std::string gpu;
  std::vector<MemoryRoof> memory;
  std::vector<ComputeRoof> compute;
  std::vector<PaceFigure> paces = {};

  // The best evidence there is: measured, else spec, else datasheet; or exactly `origin` when given.
  const MemoryRoof* find(MemoryLevel level, std::optional<Origin> origin = {}) const;
  const ComputeRoof* find(const std::string& pipe, std::optional<Origin> origin = {}) const;
  // The best evidence there is; of a chip that nobody measured, an H200's.
  const PaceFigure& find(Pace pace) const;
  void add(const Roofs& more);
  bool operator==(const Roofs&) const = default;
};

// Roofs from a datasheet row alone: DRAM, the pipes and paces as quoted; caches, shared memory, integers and
// issue from what an SM does per clock.
Roofs datasheet_roofs(const Gpu& gpu);

}  // namespace rooftile
