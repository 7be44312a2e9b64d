// The map over two dials, and occupancy against speed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/record/point.hpp"
#include "analysis/roofline/roofline.hpp"

namespace rooftile::scene {

// Shares are those of a roof, bytes those that were counted.
enum class MapMetric {
  time,
  rate,
  nearest_share,
  dram_share,
  l2_share,
  shared_share,
  occupancy,
  achieved,
  registers,
  conflicts,
  dram_bytes,
  l2_bytes,
  l1_bytes,
  l2_hits,
  l1_hits,
  against_model
};

// The user's choices for the map.
struct MapChoice {
  std::string across = {}, down = {};  // parameters; empty: the kernel's own two
  MapMetric metric = MapMetric::time;
  bool best_over_others = true;  // of the other dials; false: at their present values
  bool scatter = false;          // beside the map: occupancy against speed instead of a slice
  bool operator==(const MapChoice&) const = default;
};

struct MapAxis {
  std::string parameter, label;
  std::vector<double> values;
};

struct MapCell {
  Parameters place;                     // complete; of the launch where there is one
  std::optional<std::uint64_t> launch;  // the fastest there
  std::optional<Seconds> time;          // of that launch; else what the model predicts
  bool predicted = false;
  std::optional<double> value;  // of the metric, in the map's unit
  std::string text;
  bool present = false, best = false, within_noise = false;
  std::string why_not;  // not legal beside the other dials, or no launch of this GPU; empty: it can be
  std::vector<std::string> facts;
};

// A launch by its occupancy and its speed.
struct ScatterDot {
  std::uint64_t launch = 0;
  double occupancy = 0;  // 0..1: achieved where it was counted, else theoretical
  double rate = 0;       // in the unit of the scatter
  bool best = false;
};

struct Landscape {
  std::string from;  // all that it depends on but the roofs
  Roofs roofs;
  MapChoice choice;
  MapAxis across, down;                // down has no values where the kernel has one dial
  std::vector<MapCell> cells;          // row by row
  std::optional<std::size_t> advised;  // the cell where the advice leads, unless that is the present one
  std::vector<ScatterDot> scatter;     // every launch of the same work; where it is wanted
  std::string scatter_unit;
  std::string unit;
  bool less_is_better = false;
  bool by_ratios = false;  // equal steps of colour are equal ratios: the values span many
  std::optional<double> lowest, highest;
  bool holds_others = false;  // predictions are of the other dials as they are
  bool unfinished = false;    // some predictions over the other dials are still to be made
  std::string summary;        // "Best 1.93 ms: tile 32; 5 others within noise. 36 of 40 legal places measured."
};

}  // namespace rooftile::scene
