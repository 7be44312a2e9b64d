// One launch as far as it is known: a point starts predicted, then is timed, then counted. Each stage of a
// measurement sends the whole point again, so the newest record of an id replaces the older ones.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/chip/architecture.hpp"
#include "analysis/chip/launch.hpp"
#include "analysis/chip/memory_level.hpp"
#include "analysis/chip/occupancy.hpp"
#include "analysis/chip/pipe.hpp"
#include "analysis/model/model.hpp"
#include "analysis/model/term.hpp"
#include "analysis/text/expression.hpp"
#include "analysis/text/units.hpp"

namespace rooftile {

// The elements of a result that are wrong, as a map of its rows.
struct WrongElements {
  std::string buffer;
  std::int64_t wrong = 0, elements = 0;
  std::int64_t row_length = 0;     // elements
  std::vector<std::string> cells;  // a letter each: '.' all right, else '1' to '9' ninths wrong, rounded up
  static constexpr std::int64_t most_down = 64, most_across = 128;
  bool operator==(const WrongElements&) const = default;
};

struct Verification {
  bool passed = false;
  double largest_error = 0;
  double tolerance = 0;
  std::string sentence;                           // when it failed: which element, got, expected
  std::optional<double> relative_tolerance = {};  // allowed besides, of each element's reference
  std::optional<WrongElements> wrong = {};        // when it failed beyond the tolerance
  bool operator==(const Verification&) const = default;
};

// By events, outside any counted range, less what the events take by themselves.
struct Timing {
  Seconds median, fastest, slowest;
  int launches = 0;
  std::optional<int> set_aside{};     // launches before or after these that differed more among themselves
  std::optional<Seconds> events{};    // taken off; empty in older sessions, whose times hold it
  std::optional<int> with_latency{};  // how many of these have a time that may hold the host's launch latency
  double spread() const { return median.value > 0 ? (slowest - fastest) / median : 0; }
  static constexpr double most_spread = 0.10;
  static constexpr Seconds event_step{0.5e-6};  // that CUDA events resolve; a time lies between two of them
  bool steady() const { return slowest - fastest <= most_spread * median + 2.0 * event_step; }
  bool operator==(const Timing&) const = default;
};

// The SM clock while launches were timed, as the driver said. For launches from Nsight Compute: the clock that
// it counted, and the boost clock of the GPU's datasheet.
struct HeldClock {
  Hertz now, highest;
  std::vector<std::string> slowed_by;  // "the power cap", "heat"
  // The clock of busy tensor cores falls somewhat below the highest within microseconds, unseen by the driver.
  bool is_full(Hertz held) const { return held.value >= 0.95 * highest.value; }
  bool operator==(const HeldClock&) const = default;
};

// The bytes that count as moved at L2 and L1. requested: every byte asked for, stores and atomics too, as in
// NERSC's hierarchical roofline. returned: the bytes that come back, as in Nsight Compute's.
enum class ByteDefinition { requested, returned };

// Hardware counters. An empty value was not counted on this chip.
struct Counters {
  std::optional<double> fadd, fmul, ffma;            // FP32 thread instructions
  std::optional<double> dadd, dmul, dfma;            // FP64
  std::optional<double> hadd, hmul, hfma;            // packed FP16, of kernels that compute in it
  std::optional<Flops> tensor;                       // on the kernel's own tensor pipe; padded tiles count too
  std::map<std::string, Flops> tensor_by_pipe = {};  // of a kernel whose pipe nobody stated
  std::optional<Bytes> dram_read, dram_write, l2;
  std::optional<Bytes> dram;                            // both, where another tool counted them together
  std::optional<Bytes> l1;                              // includes accesses to other blocks' shared memory
  std::optional<Bytes> l2_returned, l1_returned;        // counted on request
  std::optional<Bytes> distributed;                     // to and from the shared memory of other blocks
  std::optional<double> shared_wavefronts;              // loads, stores and atomics
  std::optional<double> shared_conflicts;               // wavefronts beyond the ideal, loads and stores
  std::optional<double> achieved_occupancy;             // 0..1
  std::optional<double> warp_instructions;              // executed
  std::optional<double> issue_use;                      // 0..1: cycles in which a scheduler issued
  std::optional<double> fma_pipe_use, lsu_pipe_use;     // 0..1: of what these pipes can take
  std::optional<double> l1_sectors, l1_hits;            // of 32 B, asked for and found
  std::optional<double> l2_requests, l2_hits;           // for lines, asked for and found
  std::optional<double> global_requests;                // warp instructions that access global memory
  std::optional<Hertz> sm_clock, l2_clock, dram_clock;  // held during the launch
  std::optional<Seconds> duration;                      // of the counted launch itself; of programs alone
  int passes = 0;
  std::vector<std::string> metrics;  // names, as CUPTI knows them
  int rounds = 1;                    // that each was counted in; the values are the medians
  // By how much each varied over the rounds, by its key in a record: highest less lowest, a share of the
  // median.
  std::map<std::string, double> spread = {};

  // Work on a tensor pipe is its tensor operations; the few FP32 ones around them (alpha, beta) stay out. Else
  // FADD + FMUL + 2 FFMA and the same in FP64. On the FP16 pipe also 2 HADD2 + 2 HMUL2 + 4 HFMA2; elsewhere
  // they stay out: compilers load constants with HFMA2 (seen in FP32 kernels on sm_90), so its count is no
  // measure of work. Empty when no such counter exists.
  std::optional<Flops> flops(std::string_view pipe) const;
  // By pipe, for every pipe whose operations were counted; here FP32 and FP64 each have their own.
  std::map<std::string, Flops> flops_by_pipe() const;
  // The pipe with the most FLOPs; FP32 where there are none. Compilers load constants with HFMA2 and widen FP16
  // to FP32 with HADD2, so a kernel's PTX tells whether it computes in half precision. If half_arithmetic is
  // empty, for want of PTX, a kernel computes in FP16 where it executes HMUL2, or more HFMA2 per thread than
  // constants need.
  std::string busiest_pipe(double threads, std::optional<bool> half_arithmetic = {}) const;
  // DRAM: read and write; L1: global and local memory alone; shared: 128 B x wavefronts.
  std::optional<Bytes> bytes(MemoryLevel level, ByteDefinition definition = ByteDefinition::requested) const;
  // 0..1, of sectors; empty where none was asked for.
  std::optional<double> l1_hit_rate() const;
  std::optional<double> l2_hit_rate() const;
  // Sectors of 32 B per access of a warp to global memory: 4 for a float of each lane side by side, 32 at most
  // for lanes far apart. Sectors of local memory, which spilled registers ask for, count as well: they cannot
  // be told apart.
  std::optional<double> sectors_per_request() const;
  bool operator==(const Counters&) const = default;
};

struct Phase {
  std::string name;  // "compile", "verify", "time", "count"
  Seconds duration;
  bool operator==(const Phase&) const = default;
};

// The time that a launch would take if one term alone held it up.
struct TermAlone {
  Term term;
  Seconds time;
  bool operator==(const TermAlone&) const = default;
};

// The model's figures, stored beside the measurement so that a session can be read without its kernels.
struct ModelFigures {
  std::optional<Flops> flops;
  double elements = 0;
  Bytes compulsory_dram;
  PerLevel<Bytes> bytes;
  std::string pipe = fp32_pipe;
  bool states_work = true;           // false: FLOPs and bytes are counted alone
  std::optional<Seconds> time = {};  // predicted for its GPU; empty: only the roofs limit it
  // The time rests on this: "the compiled code and 44 registers compiled for 8.6". If no time is known, this
  // sentence says why.
  std::string basis = {};
  std::vector<TermAlone> alone = {};  // of each term that counts, the longest first
  bool time_is_least = false;         // not all that it does is known, so that it may take longer
  bool operator==(const ModelFigures&) const = default;
};

// A launch that a program made by itself.
struct LaunchTime {
  Seconds began;  // after the first one that its process launched
  Seconds took;
  bool operator==(const LaunchTime&) const = default;
};

// Launches that a program made by itself. The point stands for all launches of one kernel and shape; there is
// no manifest, so nothing is modelled but the pipe, which is the busiest one counted.
struct ProgramLaunches {
  double launches = 0;     // of this kernel and shape
  double in_graphs = 0;    // of these; what a graph launches is timed and never counted
  double counted = 0;      // of these
  Seconds total;           // time of all of them together
  int processes = 1;       // that launched it
  double in_one_pass = 0;  // of the counted ones; the others were replayed for every pass
  bool without_replay =
      false;  // the counters are of several launches, a pass each; else of one launch, replayed
  std::map<std::string, Seconds> by_range =
      {};  // of the total, by the open NVTX ranges: "step/loss"; if asked for
  std::vector<LaunchTime> over_time =
      {};  // traced launches of one process, evenly thinned where there are many
  bool operator==(const ProgramLaunches&) const = default;
};

enum class Evidence { predicted, timed, counted };
std::string_view key(Evidence evidence);  // "predicted"

inline constexpr Seconds shortest_launch{1e-9};  // a file may say less, which no clock can have measured

struct Point {
  std::uint64_t id = 0;
  std::string kernel;
  Parameters parameters;  // complete
  Caches caches = Caches::cold;
  std::string gpu;                 // name of the device record it belongs to
  std::optional<int> device = {};  // which of the machine's GPUs, where it has several
  Launch launch;
  std::string version = {};  // of a user's own kernel: launch_version()
  ModelFigures modelled;
  std::optional<ProgramLaunches> program;  // empty: a launch of rooftile's own
  std::optional<Compiled> compiled;
  std::optional<Verification> verification;
  std::optional<Timing> timing;
  std::optional<HeldClock> clock;
  std::optional<Counters> counters;
  std::vector<Phase> phases;
  std::vector<std::string> notes;      // what the reader should know: counters refused, clock throttled
  std::optional<std::string> failure;  // why it ended early; such a point is never plotted
  bool final = false;                  // no further record of this id follows

  Evidence evidence() const;
  bool wrong() const;                          // its result was compared, and is not what it should be
  bool sound() const;                          // it did not fail, and is not known to be wrong
  bool competes() const;                       // for the best: it was timed, and is sound
  std::optional<Flops> counted_flops() const;  // on the pipe of its model
  bool operator==(const Point&) const = default;
};

ModelFigures figures_of(const Model& model);

// The architecture that the point was compiled for. A library's kernel is not compiled here: then only what
// holds everywhere.
Architecture architecture_of(const Point& point);

// From what was really compiled; empty before that, and where the SM is not known.
std::optional<Occupancy> occupancy_of(const Point& point, const SmLimits& sm);

}  // namespace rooftile
