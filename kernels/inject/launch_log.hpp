// The launches of one process by kernel and shape, as points.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/record/duration_sample.hpp"
#include "analysis/record/point.hpp"

namespace rooftile::inject {

// What both of CUPTI's accounts say of a launch: the call, before it, and the trace, after it.
struct LaunchKey {
  int device = 0;
  std::string symbol;  // mangled
  Dim3 grid, block;
  int dynamic_shared_bytes = 0;
  bool operator==(const LaunchKey&) const = default;
  bool operator<(const LaunchKey& other) const;
};

// What the trace knows besides.
struct TracedLaunch {
  Seconds duration;
  int registers = 0, static_shared_bytes = 0, local_bytes = 0;
  Dim3 cluster;
  bool in_graph = false;
};

struct CountedLaunch {
  std::optional<Counters> counters;  // empty where they came back as no numbers
  Seconds cost;                      // that the program waited for them
};

class LaunchLog {
 public:
  // A number for each kernel and shape, in the order of their first launches.
  std::size_t group_of(const LaunchKey& key);
  const std::string& kernel_of(std::size_t group) const { return groups_[group].kernel; }

  void add(std::size_t group, const TracedLaunch& launch);
  // The trace's time of a counted launch is left out: it is not the program's own.
  void add(std::size_t group, const CountedLaunch& launch);
  // Of a launch that is in the trace, but was counted: what it was compiled to.
  void describe(std::size_t group, const TracedLaunch& launch);

  std::size_t size() const { return groups_.size(); }
  bool is_first_counted(std::size_t group) const { return groups_[group].counted == 1; }
  // Not of kernels that are left out.
  bool has_launches(std::size_t group) const { return groups_[group].launches > 0; }
  // gpu: of the group's device. Its id is the group's number and one.
  Point point(std::size_t group, const Gpu& gpu) const;
  int device_of(std::size_t group) const { return groups_[group].key.device; }
  // Groups that changed since this was last asked.
  std::set<std::size_t> take_changed();

 private:
  struct Group {
    LaunchKey key;
    std::string kernel;  // as people write it
    DurationSample times;
    double launches = 0, in_graphs = 0, counted = 0, uncounted = 0;
    Seconds counted_time, cost;
    std::optional<TracedLaunch> described;
    std::optional<Counters> counters;
  };

  std::vector<Group> groups_;
  std::map<LaunchKey, std::size_t> numbers_;
  std::set<std::size_t> changed_;
};

// Whether a kernel of this name waits for others of its kind on other GPUs: NCCL's and NVSHMEM's. Replayed,
// which is alone, it would wait for ever.
bool waits_for_others(const std::string& kernel);

// "void copy<float4>(float4*, int)" of its mangled name, or that name where it is none.
std::string readable_name(const std::string& symbol);

}  // namespace rooftile::inject
