// The figures of a launch as cells: one name, one rule and one text for each, on every page that shows it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/chip/occupancy.hpp"
#include "analysis/record/point.hpp"
#include "analysis/roofline/roofline.hpp"
#include "analysis/text/format.hpp"

namespace rooftile {

// Figures from `bytes` on belong to a level of memory.
enum class Figure {
  time,
  spread,
  performance,
  nearest_share,
  theoretical_occupancy,
  achieved_occupancy,
  registers,
  flops,
  compute_share,
  issue_share,
  load_store_share,
  warp_instructions,
  bank_conflicts,
  bank_conflict_share,
  issue_use,
  fma_pipe_use,
  lsu_pipe_use,
  l1_hit_rate,
  l2_hit_rate,
  bytes,
  bandwidth,
  intensity,
  roof_share
};

struct CellKey {
  Figure figure;
  std::optional<MemoryLevel> level = {};  // of a level's figure
  bool operator==(const CellKey&) const = default;
};

// timed: by a measured time, the work modelled. quoted: of the compiler and of the chip's limits.
enum class CellEvidence { predicted, timed, counted, quoted };
std::string_view key(CellEvidence evidence);  // "predicted"

struct Cell {
  std::string id;                   // for programs, its unit last: "dram_intensity_flops_per_byte"
  std::string label;                // for people: "intensity at DRAM"
  std::optional<double> value;      // s, B, FLOP, FLOP/s, B/s, FLOP/B; shares as 0 to 1
  std::string text = unknown_text;  // with its unit; a dash where it is not known
  CellEvidence evidence = CellEvidence::predicted;  // of a value
  std::string flag;  // a share above 102 %: what was divided by what, a sentence; else empty

  std::string marked() const { return flag.empty() ? text : text + " !"; }
};

// The facts that the cells of a launch are made of. Empty: it has no place on the roofline, or is not compiled.
struct LaunchFacts {
  const Point& point;
  const Placement* placement = nullptr;
  const Occupancy* theoretical = nullptr;
};

// All there are, in the order of a table.
const std::vector<CellKey>& cell_keys();
std::string id_of(CellKey key);
Cell cell_of(CellKey key, const LaunchFacts& facts);
// The same without words: for sorting many.
std::optional<double> value_of(CellKey key, const LaunchFacts& facts);

// The cell that says how fast a launch is: its performance; without FLOPs, its bandwidth at DRAM.
CellKey rate_key(const Placement* placement);

}  // namespace rooftile
