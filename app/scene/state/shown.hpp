// The content of the panels, as words and coordinates, worked out once when the state changes. Panels only draw
// it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/chip/occupancy_curve.hpp"
#include "analysis/model/dial_occupancy.hpp"
#include "analysis/record/point.hpp"
#include "analysis/roofline/roof_table.hpp"
#include "analysis/roofline/roofline.hpp"
#include "analysis/source/code/compile_errors.hpp"
#include "analysis/verdict/launch_report.hpp"
#include "app/scene/launch/launch_edit.hpp"
#include "app/scene/state/picture_views.hpp"

namespace rooftile::scene {

// A place where dials can stand.
struct Place {
  Parameters values;  // complete
  Caches caches = Caches::cold;
};

// One place of a dial. A reason greys it out.
struct DialOption {
  double value = 0;
  std::string text;
  std::optional<std::string> why_not;
};

struct Dial {
  std::string name;   // of the parameter
  std::string label;  // for people
  std::string unit;
  std::vector<DialOption> options;
  std::size_t selected = 0;
  bool in_more = false;    // a size or scalar most people leave alone
  bool following = false;  // has not been set: moves with another
  std::vector<std::string> facts = {};
};

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

// A visited point as a line of the table.
struct TableRow {
  std::uint64_t id = 0;
  Evidence evidence = Evidence::predicted;
  bool pinned = false;
  bool current = false;
  std::string name;  // that the user gave it; may be empty
  std::string kernel, bound_by;
  Cell time, rate, share, intensity, dram, occupancy;
  std::string dials;               // the dials in which the kernel's points differ come first
  std::vector<std::string> facts;  // every dial, for the reader who points at it
  std::optional<std::string> failure;
};

enum class TableColumn { launch, time, rate, share, intensity, dram, occupancy, bound_by };

// How the user looks at the table of points.
struct TableChoice {
  std::optional<TableColumn> sorted_by = {};  // empty: newest first
  bool descending = false;
  std::string filter = {};  // words that each line shown contains
  std::set<TableColumn> hidden = {};
  bool operator==(const TableChoice&) const = default;
};

// The visited points that pass the filter; what a line says is worked out by table_row() when it is drawn.
struct PointTable {
  std::string from;  // all that it depends on
  std::vector<std::uint64_t> ids;
  std::map<std::string, std::set<std::string>> differing;  // dials, by kernel
  std::map<std::string, std::uint64_t> first;              // launch of each kernel
  std::vector<std::uint64_t> trail;                        // that it was made from
  std::vector<std::uint64_t> visited;  // the trail's launches on the chosen GPU, before the filter
};

// One kernel of the list.
struct KernelRow {
  std::string name;             // of the manifest
  std::string title;            // beside its group: "tiled, 128-bit loads"
  std::string idea;             // one line
  std::string figure;           // the best recorded one; of a program the share of its time; empty: none
  std::optional<Seconds> time;  // of that launch; of a program of all launches
  double share = 0;             // its speed, of the fastest kernel of the group; of a program as the figure
  std::vector<std::string> facts;
};

// One shape that a program's kernel was launched in.
struct ShapeRow {
  std::uint64_t id = 0;  // of its point
  std::string text;      // "(64,64,1)x(32,32,1)"
  std::string figure;    // its share of the kernel's time
  double share = 0;
  bool current = false;
  std::vector<std::string> facts;
};

struct KernelGroup {
  std::string title;
  std::string unit;  // of its figures
  bool open = false;
  std::vector<KernelRow> rows;
};

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
};

// Why the current launch takes another time than the one before.
struct WhyView {
  std::string sentence;
  std::vector<WhyBar> bars;
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

// One line of the kernel's source beside what it did.
struct SourceLine {
  int number = 0;  // 0: none
  std::string text;
  double heat = 0;  // its samples, as a share of the hottest line's
  std::string samples, waits_for, executed, sectors, wavefronts;
  bool conflicts = false;          // more wavefronts than ideal
  std::vector<std::string> facts;  // for the reader who points at it; none: nothing runs here
  std::vector<CompileError> errors;
};

struct SourceView {
  std::vector<SourceLine> lines;  // none: nobody knows the source
  bool counted = false;           // the lines say what they did
  std::string summary;            // the longest waits
  std::vector<std::string> facts;
  std::string notice;                   // instead of counts
  std::optional<Place> elsewhere;       // where the dials have lines with counts
  std::string cost;                     // of counting
  std::optional<std::string> why_not;   // nobody can count
  std::optional<std::uint64_t> failed;  // the launch whose source does not compile: lines have errors
};

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

// The panel of the sweep: what it offers and says.
struct SweepDial {
  struct Value {
    double value = 0;
    std::string text;
    bool chosen = false;
  };
  std::string name, label;
  std::vector<Value> values;
  bool all_chosen = false;
};

struct SweepPlan {
  std::string from;  // all that the places depend on
  std::vector<SweepDial> dials;
  std::size_t launches = 0;
  std::string size;                    // "36 launches; 4 of 40 places are not legal: ..."
  std::string duration;                // "About 12 s."
  std::optional<std::string> why_not;  // nothing can be launched
};

struct FormCell {
  FormField field;
  std::string text;
  bool typed = false;  // and not saved yet
  std::string wrong;   // a sentence; empty: it is valid
};

// The launch of a kernel of the user's own, to be filled in.
struct LaunchForm {
  struct OfArgument {
    std::string name;                       // of the kernel's parameter; where the source does not say it "2."
    std::string declaration;                // "const float* in"; likewise the type of the argument
    FormCell given;                         // an expression, or the name of a buffer
    std::vector<std::string> choices = {};  // of buffers
    bool is_name = false;                   // one of the choices is given
    bool is_surplus = false;                // the source declares no such parameter
    std::string note = {};                  // may be empty
  };
  struct OfParameter {
    std::string name, role;
    bool can_be_renamed = false;                // the name of a macro is the source's
    std::optional<std::string> why_no_removal;  // a sentence
    FormCell values, default_value;
  };
  struct OfBuffer {
    std::string name;
    std::optional<std::string> why_no_removal;
    FormCell element, count, role;
    std::string size;          // at the present dials
    bool has_numbers = false;  // whole numbers that are read: their bound and order can be said
    FormCell below = {}, order = {};
  };
  struct OfGlobal {  // a __constant__ or __device__ variable
    std::string name;
    FormCell element, fill, value;
    bool has_value = false;  // all its elements are one
  };

  std::string file;    // that says it
  std::string source;  // its name
  std::vector<OfArgument> arguments;
  std::vector<OfParameter> parameters;
  std::vector<std::string> free_macros;  // of the source, that are no parameters
  std::vector<OfBuffer> buffers;
  std::vector<OfGlobal> globals;
  std::array<FormCell, 3> block, grid;
  FormCell dynamic_shared;
  std::string comes_to;            // at the present dials: "With N=1024: 4 blocks of 256 threads, ..."
  std::string cannot_launch;       // there, in a sentence; empty: it can
  std::vector<std::string> wrong;  // sentences of no field
  bool has_more_kernels = false;   // the source: others, or other instances
  bool edited = false;
  std::string launch_origin;  // "as in line 57 of mine.cu", "a guess"; empty: a person has confirmed the file
  std::optional<std::string> why_no_save;  // empty: what was typed is valid
};

struct Shown {
  std::string device;  // "NVIDIA H200   CC 9.0   132 SMs   1,980 MHz measured"
  std::vector<KernelGroup> kernels;
  std::vector<Dial> dials;
  std::string compile_cost;      // of a new place of a dial, in a sentence; empty: nobody notices it
  std::vector<ShapeRow> shapes;  // of a program's kernel, which has no dials
  std::optional<std::string> why_no_sweep;
  SweepPlan sweep;                          // while its panel is open
  std::vector<std::string> sweep_news;      // of the newest sweep and of the newest search
  std::optional<std::string> measure_line;  // that repeats the best launch; while the map or the sweep is open
  Chart chart;
  PointTable table;
  std::optional<Subject> subject;
  Landscape landscape;  // while it is looked at
  SourceView source;
  AccessView banks, sectors;
  TileView tile;
  MemoryView memory;
  bool has_launch_form = false;
  std::optional<LaunchForm> launch_form;  // while it is looked at
  std::vector<RoofRow> roofs;
  bool has_returned_bytes = false;  // of the current point
  bool has_instructions = false;    // counted, of the current point
};

}  // namespace rooftile::scene
