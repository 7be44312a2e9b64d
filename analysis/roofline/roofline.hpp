// The roofline: attainable performance at an intensity under memory and compute roofs, and where a point
// stands. Source: Williams, Waterman, Patterson 2009; hierarchical form: Yang et al. 2020. Invariant: no
// counted point lies above its measured roof by more than 2 %. If one does, it is flagged, never clamped.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/chip/gpu.hpp"
#include "analysis/chip/memory_level.hpp"
#include "analysis/chip/pipe.hpp"
#include "analysis/chip/roofs.hpp"
#include "analysis/record/point.hpp"
#include "analysis/text/units.hpp"

namespace rooftile {

inline constexpr double roof_tolerance = 0.02;  // so far beyond a roof a point is still on it

FlopsPerSecond attainable(FlopsPerByte intensity, BytesPerSecond bandwidth, FlopsPerSecond peak);
FlopsPerByte ridge_point(BytesPerSecond bandwidth, FlopsPerSecond peak);

// One level of a point.
struct LevelUse {
  MemoryLevel level;
  Bytes bytes;
  BytesPerSecond bandwidth;
  std::optional<FlopsPerByte> intensity;  // empty without FLOPs
  std::optional<double> share;            // of the level's roof; empty where there is no roof
  bool counted = false;                   // else modelled
  bool above_roof = false;                // of the level's roofs all but the datasheet's; counted only
  std::optional<Origin> roof_origin;      // what `share` is a share of
};

// The place of a point on a roofline.
struct Placement {
  Evidence evidence = Evidence::predicted;
  Seconds time;
  std::optional<FlopsPerSecond> performance;  // empty without FLOPs
  std::string pipe = fp32_pipe;               // the one its FLOPs run on
  std::optional<double> compute_share;        // of this pipe's roof
  bool above_compute_roof = false;
  std::optional<Origin> compute_roof_origin;
  // Shares of the warp instructions that the GPU can issue, and of the accesses to memory that it can start, in
  // that time, idle SMs included. Counted points only.
  std::optional<double> issue_share, load_store_share;
  std::vector<LevelUse> levels;  // those known, in memory_levels order
  std::string rate() const;      // of the performance: "9.30 TFLOP/s"; empty without
  const LevelUse* level(MemoryLevel level) const;
  std::optional<double> largest_share() const;  // of its roofs; empty where there is none
};

// Predicted points stand at the time that their model has, or else at what their slowest roof allows. Empty
// when there is nothing to place: no roof to predict from, or a failed point. A counted point has only the
// levels that were counted by the definition.
std::optional<Placement> place(const Point& point, const Roofs& roofs,
                               ByteDefinition definition = ByteDefinition::requested);

// The same launch on the instruction roofline: warp instructions instead of FLOPs, their intensity against
// transactions of a sector. Source: Ding and Williams 2019. Empty where instructions were not counted.
std::optional<Placement> place_instructions(const Point& point, const Roofs& roofs,
                                            ByteDefinition definition = ByteDefinition::requested);

}  // namespace rooftile
