// The column at the right says this about one launch.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/chip/occupancy_curve.hpp"
#include "analysis/model/dial_occupancy.hpp"
#include "analysis/verdict/launch_report.hpp"

namespace rooftile::scene {

struct ShareBar {
  std::string label;
  std::optional<MemoryLevel> level;  // empty: compute
  std::string rate, percent;
  double share = 0;
  bool binds = false;
  std::string flag;  // as of a cell
  std::vector<std::string> facts = {};
};

// One resource of an SM, and the part of it that each resident block takes.
struct SmResource {
  std::string label;               // "Registers"
  std::string figure;              // "6 blocks": if nothing else were limited
  double used = 0, allocated = 0;  // by one block, before and after rounding up, as shares of the SM
  int blocks = 0;                  // resident; 0: not even one fits
  bool binds = false;
  std::vector<std::string> facts;
};

struct OccupancyView {
  std::string sentence;  // "2 blocks of 1,024 threads fill one SM"
  double theoretical = 0;
  std::optional<double> achieved;
  std::vector<SmResource> resources;
  std::string cliff;  // may be empty
  std::vector<std::string>
      why_below;  // what keeps the achieved one ten points or more below the theoretical one
};

// Occupancy over one resource of the block, for the chosen GPU first and for those it is compared with.
struct OccupancyLine {
  std::string gpu;
  std::vector<OccupancyStep> steps;
  int last = 0;  // the largest value a block may have there
};

struct OccupancyPlot {
  BlockResource resource = BlockResource::threads;
  int present = 0;
  std::string here;        // "40 registers per thread: 6 blocks, 75 %"
  std::string neighbours;  // "32 or fewer: 8 blocks; 41 or more: 5 blocks"
  std::vector<OccupancyLine> lines;
};

// The outcome of advice that was followed.
struct AdviceOutcome {
  std::string sentence;  // "Predicted 1.42 ms, measured 1.47 ms."
  bool wrong = false;    // it is no faster than before
};

// One line of a waterfall; its bar is a part of the scene's width, 0 to 1.
struct WhyBar {
  std::string name, figure;
  double from = 0, to = 0;
  enum class Kind { time, saves, adds, unknown } kind = Kind::time;
  std::string meaning = {};  // of a cause, a sentence
};

// A step of the ladder, from one kernel to the next.
struct LadderStep {
  std::uint64_t to = 0;  // the launch
  std::string kernels;   // "naive to tiled"
  std::string times;     // "2.41 ms to 1.93 ms, 1.25x as fast"
  std::string reason;    // a sentence
  bool current = false;
};

// Why the current launch takes another time than the one before.
struct WhyView {
  std::string sentence;
  std::vector<WhyBar> bars;
  std::vector<LadderStep> ladder = {};  // where it is shown
  std::string of_faster = {};           // "tile 32: L2 moves 2.1 GB instead of 4.3 GB."; may be empty
};

// Everything said about one point: its report, and what the column at the right makes of it.
struct Subject : LaunchReport {
  std::vector<std::string> limits{};       // what stands behind the verdict
  std::string intensity{};                 // at the level that is looked at, else at DRAM; empty without FLOPs
  std::vector<std::string> intensities{};  // at every level
  std::optional<std::string> why_not{};    // why the dials cannot be set as advised
  std::optional<AdviceOutcome> outcome{};
  std::optional<WhyView> why{};  // against the launch before; worked out while it is looked at
  std::vector<ShareBar> shares{};
  std::optional<OccupancyView> occupancy{};
  std::string why_no_occupancy{};                // a sentence in its place
  std::vector<OccupancyPlot> occupancy_plots{};  // of each resource of a block; none where it is not compiled
  std::vector<DialStep> dial_steps{};            // the dials' nearest values at which other blocks fit
  std::vector<std::string> compiled{};           // lines
  std::vector<std::string> findings{};           // what the compiled code does wrong, a sentence each
};

}  // namespace rooftile::scene
