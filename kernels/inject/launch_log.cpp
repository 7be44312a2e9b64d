#include "kernels/inject/launch_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "analysis/platform/platform.hpp"
#include "analysis/record/counter_rounds.hpp"
#include "analysis/record/metric_table.hpp"
#include "analysis/record/program/program_points.hpp"
#include "analysis/text/format.hpp"

namespace rooftile::inject {
namespace {

auto sides(const Dim3& dim) {
  return std::tuple(dim.x, dim.y, dim.z);
}

// Names of a library's templates reach 10 kB; they differ near their beginning.
constexpr std::size_t longest_name = 2000;

// Medians of more rounds differ little.
constexpr std::size_t most_rounds = 64;

// How a program's launch was compiled, as far as it is known: spills are not.
Compiled compiled_of(const TracedLaunch& launch, const Gpu& gpu) {
  Compiled made;
  made.cc = gpu.cc;
  made.registers = launch.registers;
  made.static_shared_bytes = launch.static_shared_bytes;
  made.local_bytes = launch.local_bytes;
  return made;
}

}  // namespace

bool LaunchKey::operator<(const LaunchKey& other) const {
  return std::tuple(device, dynamic_shared_bytes, sides(grid), sides(block), std::string_view(symbol)) <
         std::tuple(other.device, other.dynamic_shared_bytes, sides(other.grid), sides(other.block),
                    std::string_view(other.symbol));
}

std::string readable_name(const std::string& symbol) {
  return platform::demangled(symbol).substr(0, longest_name);
}

std::size_t LaunchLog::group_of(const LaunchKey& key) {
  const auto [found, is_new] = numbers_.try_emplace(key, groups_.size());
  if (is_new) {
    groups_.emplace_back().key = key;
    groups_.back().kernel = program_kernel_name(readable_name(key.symbol));
    groups_.back().shape = shape_text({key.grid, key.block});
  }
  return found->second;
}

std::size_t LaunchLog::group_of_graph(int number, int device) {
  const std::size_t group = group_of({device, fmt::format("CUDA_graph_{}", number), {}, {}});
  groups_[group].is_graph = true;
  groups_[group].kernel = groups_[group].key.symbol;
  return group;
}

bool LaunchLog::has_launches(std::size_t number) const {
  const Group& group = groups_[number];
  return group.is_graph ? group.in_one_pass + group.untimed > 0 : group.launches > 0;
}

void LaunchLog::add(const GraphRun& run) {
  Group& group = groups_[run.group];
  group.launches += 1;
  group.kernels = std::max(group.kernels, run.kernels);
  if (run.kernels > 0) {
    group.times.add(run.duration);
  }
  changed_.insert(run.group);
}

void LaunchLog::add(std::size_t number, const TracedLaunch& launch) {
  Group& group = groups_[number];
  group.times.add(launch.duration);
  group.over_time.add(launch.start, launch.duration);
  first_ns_ = std::min(first_ns_, launch.start);
  group.launches += 1;
  group.in_graphs += launch.in_graph ? 1 : 0;
  group.described = launch;
  if (!launch.range.empty()) {
    group.ranges[launch.range].traced += launch.duration;
  }
  changed_.insert(number);
}

void LaunchLog::describe(std::size_t number, const TracedLaunch& launch) {
  Group& group = groups_[number];
  group.described = launch;
  if (launch.duration.value > 0) {
    group.fastest_counted = std::min(group.fastest_counted.value_or(launch.duration), launch.duration);
  }
  changed_.insert(number);
}

void LaunchLog::add(std::size_t number, const CountedLaunch& launch) {
  Group& group = groups_[number];
  group.launches += 1;
  (launch.replayed ? group.replayed : group.in_one_pass) += 1;
  group.cost += launch.cost;
  if (!launch.range.empty()) {
    group.ranges[launch.range].untimed += 1;
  }
  changed_.insert(number);
}

void LaunchLog::add_untimed(std::size_t number, const std::string& range, bool in_graph) {
  Group& group = groups_[number];
  group.launches += 1;
  group.untimed += 1;
  group.in_graphs += in_graph ? 1 : 0;
  if (!range.empty()) {
    group.ranges[range].untimed += 1;
  }
  changed_.insert(number);
}

void LaunchLog::add(const CountedGroup& counted) {
  Group& group = groups_[counted.group];
  if (counted.range) {
    group.fastest_counted = std::min(group.fastest_counted.value_or(*counted.range), *counted.range);
  } else if (!counted.counters) {
    group.uncounted += 1;
  } else {
    if (group.without_replay == counted.replayed) {
      group.rounds.clear();
    }
    group.without_replay = !counted.replayed;
    if (group.rounds.size() == most_rounds) {
      group.rounds.erase(group.rounds.begin());
    }
    group.rounds.push_back(group.is_graph ? without_patched(*counted.counters) : *counted.counters);
    if (counted.replayed) {
      group.replayed_time += counted.counters->duration.value_or(Seconds{});
    } else if (const auto range = std::exchange(group.rounds.back().duration, {})) {
      group.fastest_counted = std::min(group.fastest_counted.value_or(*range), *range);
    }
  }
  changed_.insert(counted.group);
}

// Counters of one launch are divided by the time of launches that did the same work.
std::optional<Timing> LaunchLog::timing_of(const Group& group, const std::optional<Counters>& counters) {
  const std::optional<Seconds> counted = counters ? counters->duration : std::nullopt;
  if (group.times.count() > 0) {
    return counted ? group.times.timing_like(*counted) : group.times.timing();
  }
  const std::optional<Seconds> only = counted ? counted : group.fastest_counted;
  return only ? std::optional(Timing{*only, *only, *only, 1, {}, {}}) : std::nullopt;
}

// A launch without a time of its own counts with the mean: launches of one shape may differ. The first ones of
// a kernel, which may be all that were traced, find cold caches; no launch takes longer than what is measured
// around it.
Seconds LaunchLog::typical_time(const Group& group, const std::optional<Timing>& timing) {
  constexpr std::size_t few = 2;
  const std::size_t traced = group.times.count();
  if (traced > few) {
    return (1 / static_cast<double>(traced)) * group.times.total();
  }
  const Seconds median = timing ? timing->median : Seconds{};
  return group.fastest_counted ? std::min(median, *group.fastest_counted) : median;
}

// The time around a replayed launch is longer than the launch, by much if that is short.
Seconds LaunchLog::replayed_time(const Group& group, Seconds typical) {
  return group.times.count() > 0 ? std::min(group.replayed * typical, group.replayed_time)
                                 : group.replayed_time;
}

Point LaunchLog::point(std::size_t number, const Gpu& gpu) const {
  const Group& group = groups_[number];
  Point point;
  point.id = number + 1;
  point.kernel = group.kernel;
  point.caches = Caches::warm;  // as the program left them
  point.gpu = gpu.name;
  point.launch = {group.key.grid, group.key.block, group.key.dynamic_shared_bytes, {}};
  point.counters = group.counters();
  point.timing = timing_of(group, point.counters);
  const Seconds typical = typical_time(group, point.timing);
  // The kernels of a traced graph have their own rows.
  const Seconds traced = group.is_graph ? Seconds{} : group.times.total();
  point.program =
      ProgramLaunches{group.launches,
                      group.in_graphs,
                      group.replayed + group.in_one_pass - group.uncounted,
                      traced + replayed_time(group, typical) + (group.in_one_pass + group.untimed) * typical,
                      1,
                      group.in_one_pass,
                      group.without_replay};
  add_ranges(group, *point.program, traced);
  point.program->over_time = group.over_time.since(first_ns_);
  if (group.described) {
    point.compiled = compiled_of(*group.described, gpu);
    point.launch.cluster = group.described->cluster;
  }
  if (point.counters) {
    const auto threads =
        static_cast<double>(group.key.grid.count()) * static_cast<double>(group.key.block.count());
    point.modelled.pipe = point.counters->busiest_pipe(threads);
  }
  if (group.cost.value > 0) {
    point.phases.push_back({"count", group.cost});
  }
  add_notes(group, point);
  return point;
}

std::optional<Counters> LaunchLog::Group::counters() const {
  return rounds.empty() ? std::nullopt : std::optional(joined_rounds(rounds));
}

// Launches without a time of their own stand with what they have in the total.
void LaunchLog::add_ranges(const Group& group, ProgramLaunches& program, Seconds traced) {
  const double untimed = group.replayed + group.in_one_pass + group.untimed;
  const Seconds each = untimed > 0 ? (1 / untimed) * (program.total - traced) : Seconds{};
  for (const auto& [range, use] : group.ranges) {
    program.by_range[range] = use.traced + use.untimed * each;
  }
}

void LaunchLog::add_notes(const Group& group, Point& point) {
  if (point.timing && group.times.count() == 0) {
    point.notes.emplace_back(
        group.without_replay
            ? "No launch was traced, so the time is that of a counted one: longer, by up to milliseconds."
            : "Every launch was counted, so the time is that of a counted launch.");
  }
  if (group.without_replay) {
    point.notes.push_back(fmt::format("The counters are those of {} launches, each counted in one pass.",
                                      point.counters->passes));
  } else if (!point.counters && group.in_one_pass > 0) {
    point.notes.push_back(
        fmt::format("Incomplete: {} of its launches {} counted, each in one pass, and its counters need "
                    "more. --replay always counts its first launch.",
                    group.in_one_pass, group.in_one_pass == 1 ? "was" : "were"));
  }
  if (group.in_graphs > 0) {
    point.notes.emplace_back(point.counters
                                 ? "The counters are of launches outside of CUDA graphs, which launch it too."
                                 : "Launched by a CUDA graph, whose kernels cannot be counted one by one: the "
                                   "graph is counted as a whole.");
  }
  if (waits_for_others(group.kernel)) {
    point.notes.emplace_back("Waits for kernels of other GPUs, so it is not counted.");
  }
  if (waits_for_program(group.kernel)) {
    point.notes.emplace_back("Waits for the program, so nothing is counted while it runs.");
  }
  if (group.is_graph) {
    point.notes.push_back(fmt::format(
        "A launch of it runs {}, which {} a row too. Its share is the time of those that were counted, "
        "for no kernel of them was traced.",
        rooftile::counted(group.kernels, "kernel"), group.kernels == 1 ? "has" : "have each"));
  }
  if (group.uncounted > 0) {
    point.notes.emplace_back("A launch that was to be counted came back without numbers.");
  }
}

std::set<std::size_t> LaunchLog::take_changed() {
  return std::exchange(changed_, {});
}

}  // namespace rooftile::inject
