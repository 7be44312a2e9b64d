// The launches of one process by kernel and shape, as points.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/record/duration_sample.hpp"
#include "analysis/record/point.hpp"
#include "kernels/inject/graph_launches.hpp"
#include "kernels/inject/launch_times.hpp"

namespace rooftile::inject {

// Facts of a launch that CUPTI tells twice: at the call, before it, and in the trace, after it.
struct LaunchKey {
  int device = 0;
  std::string symbol;  // mangled
  Dim3 grid, block;
  int dynamic_shared_bytes = 0;
  bool operator==(const LaunchKey&) const = default;
  bool operator<(const LaunchKey& other) const;
};

// Further facts that only the trace tells.
struct TracedLaunch {
  Seconds duration;
  int registers = 0, static_shared_bytes = 0, local_bytes = 0;
  Dim3 cluster;
  bool in_graph = false;
  std::uint64_t start = 0;  // [ns], since a moment that CUPTI chose
  std::string range = {};   // the NVTX ranges that were open at the call; empty: none, or nobody asks
};

struct CountedLaunch {
  bool replayed = false;  // else counted in one pass
  Seconds cost;           // how long the program waited for it
  std::string range = {};
};

// The counters of a kernel and shape, once they are known.
struct CountedGroup {
  std::size_t group = 0;
  std::optional<Counters> counters;   // empty where they came back as no numbers
  bool replayed = false;              // else they are of several launches, each counted in one pass
  std::optional<Seconds> range = {};  // around one of these launches, if that is all that is known
};

class LaunchLog {
 public:
  // A number for each kernel and shape, in the order of their first launches.
  std::size_t group_of(const LaunchKey& key);
  // The same for a CUDA graph, launched as a whole.
  std::size_t group_of_graph(int number, int device);
  const std::string& kernel_of(std::size_t group) const { return groups_[group].kernel; }
  const std::string& shape_of(std::size_t group) const { return groups_[group].shape; }  // as shape_text()

  void add(std::size_t group, const TracedLaunch& launch);
  // The trace's time of a counted launch is left out: it is not the program's own.
  void add(std::size_t group, const CountedLaunch& launch);
  void add(const CountedGroup& counted);
  // A traced launch of a graph. Its kernels are added too, each by itself.
  void add(const GraphRun& run);
  // A launch that the trace will tell of.
  void leave_to_trace(std::size_t group) { groups_[group].is_traced = true; }
  bool is_traced(std::size_t group) const { return groups_[group].is_traced; }
  // A launch that ran as always, and has no time of its own.
  void add_untimed(std::size_t group, const std::string& range, bool in_graph = false);
  // The program waited for other kernels' counters.
  void waited(std::size_t group, Seconds cost) { groups_[group].cost += cost; }
  // Takes from the trace of a counted launch how it was compiled.
  void describe(std::size_t group, const TracedLaunch& launch);

  std::size_t size() const { return groups_.size(); }
  // False for kernels that are left out, and for graphs of which the trace says all.
  bool has_launches(std::size_t group) const;
  bool is_in_graphs_alone(std::size_t group) const {
    return groups_[group].in_graphs > 0 && groups_[group].in_graphs == groups_[group].launches;
  }
  // gpu: the group's device. The point's id is the group's number + 1.
  Point point(std::size_t group, const Gpu& gpu) const;
  int device_of(std::size_t group) const { return groups_[group].key.device; }
  // Groups that changed since this was last asked.
  std::set<std::size_t> take_changed();

 private:
  struct RangeUse {
    Seconds traced;
    double untimed = 0;  // launches, which have no time of their own
  };
  struct Group {
    LaunchKey key;
    std::string kernel, shape;  // as people write them
    DurationSample times;
    LaunchTimes over_time;
    double launches = 0, in_graphs = 0, replayed = 0, in_one_pass = 0, untimed = 0, uncounted = 0;
    Seconds replayed_time, cost;
    std::optional<Seconds> fastest_counted;  // by the trace, or the range around it
    bool without_replay = false;             // its counters
    std::optional<TracedLaunch> described;
    bool is_graph = false, is_traced = false;
    int kernels = 0;               // of a launch of the graph
    std::vector<Counters> rounds;  // that it was counted in, the latest ones
    std::map<std::string, RangeUse> ranges;
    std::optional<Counters> counters() const;
  };

  static std::optional<Timing> timing_of(const Group& group, const std::optional<Counters>& counters);
  static Seconds typical_time(const Group& group, const std::optional<Timing>& timing);
  static Seconds replayed_time(const Group& group, Seconds typical);
  static void add_ranges(const Group& group, ProgramLaunches& program, Seconds traced);
  static void add_notes(const Group& group, Point& point);

  std::vector<Group> groups_;
  std::map<LaunchKey, std::size_t> numbers_;
  std::set<std::size_t> changed_;
  std::uint64_t first_ns_ = std::numeric_limits<std::uint64_t>::max();  // the earliest start of a launch
};

// "void copy<float4>(float4*, int)" from its mangled name; a name that is not mangled stays.
std::string readable_name(const std::string& symbol);

}  // namespace rooftile::inject
