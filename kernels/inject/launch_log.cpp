#include "kernels/inject/launch_log.hpp"

#include <tuple>
#include <utility>

#include "analysis/platform/platform.hpp"
#include "analysis/record/program/program_points.hpp"

namespace rooftile::inject {
namespace {

auto sides(const Dim3& dim) {
  return std::tuple(dim.x, dim.y, dim.z);
}

// Names of a library's templates reach 10 kB; they differ near their beginning.
constexpr std::size_t longest_name = 2000;

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

bool waits_for_others(const std::string& kernel) {
  return kernel.find("nccl") != std::string::npos || kernel.find("nvshmem") != std::string::npos;
}

std::size_t LaunchLog::group_of(const LaunchKey& key) {
  const auto [found, is_new] = numbers_.try_emplace(key, groups_.size());
  if (is_new) {
    groups_.emplace_back().key = key;
    groups_.back().kernel = program_kernel_name(readable_name(key.symbol));
  }
  return found->second;
}

void LaunchLog::add(std::size_t number, const TracedLaunch& launch) {
  Group& group = groups_[number];
  group.times.add(launch.duration);
  group.launches += 1;
  group.in_graphs += launch.in_graph ? 1 : 0;
  group.described = launch;
  changed_.insert(number);
}

void LaunchLog::describe(std::size_t number, const TracedLaunch& launch) {
  groups_[number].described = launch;
  changed_.insert(number);
}

void LaunchLog::add(std::size_t number, const CountedLaunch& launch) {
  Group& group = groups_[number];
  group.launches += 1;
  group.cost += launch.cost;
  if (launch.counters) {
    group.counted += 1;
    group.counted_time += launch.counters->duration.value_or(Seconds{});
    group.counters = launch.counters;
  } else {
    group.uncounted += 1;
  }
  changed_.insert(number);
}

Point LaunchLog::point(std::size_t number, const Gpu& gpu) const {
  const Group& group = groups_[number];
  Point point;
  point.id = number + 1;
  point.kernel = group.kernel;
  point.caches = Caches::warm;  // as the program left them
  point.gpu = gpu.name;
  point.launch = {group.key.grid, group.key.block, group.key.dynamic_shared_bytes, {}};
  point.program = ProgramLaunches{group.launches, group.in_graphs, group.counted,
                                  group.times.total() + group.counted_time, 1};
  if (group.described) {
    point.compiled = compiled_of(*group.described, gpu);
    point.launch.cluster = group.described->cluster;
  }
  if (group.times.count() > 0) {
    point.timing = group.counters ? group.times.timing_like(group.counters->duration.value_or(Seconds{}))
                                  : group.times.timing();
  }
  if (group.counters) {
    const auto threads =
        static_cast<double>(group.key.grid.count()) * static_cast<double>(group.key.block.count());
    point.counters = group.counters;
    point.modelled.pipe = group.counters->busiest_pipe(threads);
    if (!point.timing && group.counters->duration) {
      const Seconds only = *group.counters->duration;
      point.timing = Timing{only, only, only, 1, {}, {}};
      point.notes.emplace_back("Every launch was counted, so the time is that of a counted launch.");
    }
  }
  if (group.cost.value > 0) {
    point.phases.push_back({"count", group.cost});
  }
  if (group.in_graphs > 0 && !group.counters) {
    point.notes.emplace_back("Launched by a CUDA graph, whose kernels cannot be counted one by one.");
  }
  if (waits_for_others(group.kernel)) {
    point.notes.emplace_back("Waits for kernels of other GPUs, so it is not replayed and not counted.");
  }
  if (group.uncounted > 0) {
    point.notes.emplace_back("A launch that was to be counted came back without numbers.");
  }
  return point;
}

std::set<std::size_t> LaunchLog::take_changed() {
  return std::exchange(changed_, {});
}

}  // namespace rooftile::inject
