// The chart as rows of dots, lines and labels.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/record/point.hpp"
#include "analysis/roofline/roofline.hpp"

namespace rooftile::scene {

// One memory level of one launch.
struct Dot {
  MemoryLevel level = MemoryLevel::dram;
  std::optional<double> intensity;  // [FLOP/B]
  std::optional<double> share;      // of the level's roof
  BytesPerSecond bandwidth;
  bool above_roof = false;
};

// named: its label is wanted, as of a pinned launch.
enum class Emphasis { plain, named, newest };

// One launch: a row of dots at one height.
struct ChartRow {
  std::uint64_t id = 0;
  Evidence evidence = Evidence::predicted;
  std::string label;                  // the dial's value: "tile 32"
  std::string figure;                 // "9.30 TFLOP/s"
  std::optional<double> performance;  // [FLOP/s]
  double freshness = 1;               // 1: the newest; older ones fade
  Emphasis emphasis = Emphasis::plain;
  bool pinned = false;
  bool on_trail = false;            // of the chosen kernel: joined to the one before
  std::optional<double> occupancy;  // achieved where it was counted, else theoretical; of dots that show it
  std::vector<Dot> dots;

  const Dot* dot(MemoryLevel level) const;
  double largest_share() const;  // of its dots; 0 where none has one
};

// The launch at the same place of the dials on another GPU, or in another session.
struct BesideRow {
  std::size_t of = 0;  // the row it stands beside
  ChartRow row;        // by its own figures, its shares of its own roofs
};

// A dot of one of many launches: no more of it than where it stands.
struct Speck {
  std::uint64_t id = 0;
  float log_intensity = 0, log_performance = 0;  // natural logarithms
  MemoryLevel level = MemoryLevel::dram;
  Evidence evidence = Evidence::predicted;
  std::optional<double> occupancy = {};  // as ChartRow's
};

// A line of the roofline chart: a memory roof rises with the intensity, a compute roof is level.
struct RoofLine {
  std::optional<MemoryLevel> level;  // empty: a compute roof
  double height = 0;                 // of a memory roof what it rises by; of a compute roof where it is
  std::string name;                  // "DRAM", as in the table of roofs
  std::string label;                 // "DRAM  4.27 TB/s"
  Origin origin = Origin::measured;
  std::vector<std::string> facts;
};

// roofline: FLOPs over FLOP/B. instructions: warp instructions over instructions per transaction. shares: of
// each roof, for kernels without FLOPs.
enum class ChartKind { roofline, instructions, shares };

struct Chart {
  ChartKind kind = ChartKind::roofline;
  std::vector<RoofLine> roofs;
  double peak = 0;              // the compute roof that cuts the memory roofs, as high as a point can stand
  std::optional<double> ridge;  // of DRAM
  std::string ridge_label;
  std::vector<ChartRow> rows;       // those that stand out, oldest first; the current one last
  std::vector<BesideRow> beside;    // where the chosen GPU is compared with another one
  std::vector<std::string> legend;  // of the chosen GPU, and of the one beside it; empty without one
  std::vector<Speck> crowd;         // the other launches, oldest first
  std::optional<ChartRow> ghost;    // what the model says of the dial's place
  std::optional<ChartRow> advised;  // where the advice leads; its figure is the gain
  std::vector<Origin> origins;      // of the roofs there are
};

}  // namespace rooftile::scene
