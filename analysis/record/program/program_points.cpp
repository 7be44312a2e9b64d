#include "analysis/record/program/program_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/record/duration_sample.hpp"

namespace rooftile {
namespace {

using Group = std::vector<const Point*>;

// The middle of all launches, if each process stands with its median for all of its launches.
Seconds weighted_median(Group group) {
  std::ranges::sort(group, {}, [](const Point* point) { return point->timing->median; });
  double launches = 0, passed = 0;
  for (const Point* point : group) {
    launches += point->timing->launches;
  }
  for (const Point* point : group) {
    passed += point->timing->launches;
    if (2 * passed >= launches) {
      return point->timing->median;
    }
  }
  return group.back()->timing->median;
}

// counted: the point whose counters are kept, null without counters. Launches of processes that gave the kernel
// another amount of work say nothing about the time of the counted work.
std::optional<Timing> joined_timing(Group group, const Point* counted) {
  std::erase_if(group, [](const Point* point) { return !point->timing; });
  if (group.empty()) {
    return {};
  }
  const auto is_other_work = [&](const Point* point) {
    return counted && counted->timing && !took_about_as_long(point->timing->median, counted->timing->median);
  };
  int set_aside = 0;
  for (const Point* point : group) {
    set_aside += point->timing->set_aside.value_or(0) + (is_other_work(point) ? point->timing->launches : 0);
  }
  std::erase_if(group, is_other_work);
  Timing all = *group.front()->timing;
  all.median = weighted_median(group);
  all.launches = 0;
  for (const Point* point : group) {
    all.fastest = std::min(all.fastest, point->timing->fastest);
    all.slowest = std::max(all.slowest, point->timing->slowest);
    all.launches += point->timing->launches;
  }
  all.set_aside = set_aside > 0 ? std::optional(set_aside) : std::nullopt;
  return all;
}

ProgramLaunches joined_launches(const Group& group) {
  ProgramLaunches all;
  all.processes = 0;
  double most_launches = 0;
  for (const Point* point : group) {
    const ProgramLaunches each = point->program.value_or(ProgramLaunches{});
    all.launches += each.launches;
    all.in_graphs += each.in_graphs;
    all.counted += each.counted;
    all.in_one_pass += each.in_one_pass;
    all.total += each.total;
    for (const auto& [range, time] : each.by_range) {
      all.by_range[range] += time;
    }
    all.processes += each.processes;
    if (each.launches > most_launches) {
      most_launches = each.launches;
      all.over_time = each.over_time;
    }
  }
  return all;
}

std::vector<Phase> joined_phases(const Group& group) {
  std::map<std::string, Seconds> sums;
  for (const Point* point : group) {
    for (const Phase& phase : point->phases) {
      sums[phase.name] += phase.duration;
    }
  }
  std::vector<Phase> all;
  for (const auto& [name, duration] : sums) {
    all.push_back({name, duration});
  }
  return all;
}

Point merged_group(const Group& group) {
  const auto counted = [](const Point* point) {
    return point->counters ? point->program.value_or(ProgramLaunches{}).counted : -1;
  };
  const Point* most_counted = *std::ranges::max_element(group, {}, counted);
  Point all = *most_counted;
  if (group.size() > 1) {
    const auto described =
        std::ranges::find_if(group, [](const Point* point) { return point->compiled.has_value(); });
    if (!all.compiled && described != group.end()) {
      all.compiled = (*described)->compiled;
      all.launch = (*described)->launch;
    }
    all.timing = joined_timing(group, all.counters ? most_counted : nullptr);
    all.program = joined_launches(group);
    all.program->without_replay = most_counted->program && most_counted->program->without_replay;
    all.phases = joined_phases(group);
    all.notes.push_back(
        fmt::format("The median is that of {} processes, weighted by their launches.", all.program->processes));
  }
  all.final = true;
  return all;
}

}  // namespace

// A killed process does not know how its last kernels were compiled, nor their clusters.
ProgramIdentity program_identity(const Point& point) {
  const auto sides = [](const Dim3& dim) { return std::array{dim.x, dim.y, dim.z}; };
  return {point.gpu, point.kernel, sides(point.launch.grid), sides(point.launch.block),
          point.launch.dynamic_shared_bytes};
}

std::vector<Point> merged_program_points(const std::deque<SessionLog>& processes) {
  std::map<ProgramIdentity, Group> groups;
  for (const SessionLog& process : processes) {
    for (const Point& point : process.points) {
      if (point.program) {
        groups[program_identity(point)].push_back(&point);
      }
    }
  }
  std::vector<Point> all;
  for (const auto& [key, group] : groups) {
    all.push_back(merged_group(group));
  }
  std::ranges::stable_sort(all, std::ranges::greater{},
                           [](const Point& point) { return point.program->total; });
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].id = i + 1;
  }
  return all;
}

std::string program_kernel_name(std::string readable) {
  return readable.empty() || readable.find('(') != std::string::npos ? readable : readable + "()";
}

// Left out are unnamed namespaces, the type that it returns, the namespaces that it stands in and its
// arguments.
std::string short_kernel_name(const std::string& name, std::size_t most) {
  constexpr std::string_view unnamed = "(anonymous namespace)::";
  std::string plain = name;
  for (auto found = plain.find(unnamed); found != std::string::npos; found = plain.find(unnamed)) {
    plain.erase(found, unnamed.size());
  }
  std::size_t begin = 0, end = 0;
  for (int depth = 0; end < plain.size() && (plain[end] != '(' || depth > 0); ++end) {
    depth += plain[end] == '<' ? 1 : plain[end] == '>' ? -1 : 0;
    const bool is_before_name = plain[end] == ':' || plain[end] == ' ';
    begin = depth == 0 && is_before_name ? end + 1 : begin;
  }
  const std::string kept = begin < end ? plain.substr(begin, end - begin) : name;
  return kept.size() <= most ? kept : kept.substr(0, most - 3) + "...";
}

std::string shape_text(const Launch& launch) {
  const auto sides = [](const Dim3& dim) { return fmt::format("({},{},{})", dim.x, dim.y, dim.z); };
  return sides(launch.grid) + "x" + sides(launch.block);
}

bool is_incomplete(const Point& point) {
  return !point.counters && point.program && point.program->in_one_pass > 0;
}

bool waits_for_others(const std::string& kernel) {
  return kernel.find("nccl") != std::string::npos || kernel.find("nvshmem") != std::string::npos;
}

bool waits_for_program(const std::string& kernel) {
  return kernel.find("DelayKernel") != std::string::npos;
}

namespace {

// "10 % of the time is that of kernels ...". by_passes: whether launches were counted in one pass each.
std::string why_uncounted(const Point& point, bool by_passes) {
  const ProgramLaunches program = point.program.value_or(ProgramLaunches{});
  if (waits_for_others(point.kernel)) {
    return "that wait for other GPUs";
  }
  if (waits_for_program(point.kernel)) {
    return "that wait for the program";
  }
  if (program.launches > 0 && program.in_graphs == program.launches) {
    return "launched by CUDA graphs alone";
  }
  return by_passes ? "launched too seldom for all passes" : "that were left out or failed to be counted";
}

}  // namespace

ProgramTotals totals_of(const std::vector<Point>& points) {
  ProgramTotals totals;
  const bool by_passes = std::ranges::any_of(
      points, [](const Point& point) { return point.program && point.program->in_one_pass > 0; });
  for (const Point& point : points) {
    const ProgramLaunches program = point.program.value_or(ProgramLaunches{});
    totals.launches += program.launches;
    totals.counted += program.counted;
    totals.in_graphs += program.in_graphs;
    totals.in_one_pass += program.in_one_pass;
    totals.incomplete_kernels += is_incomplete(point) ? 1 : 0;
    totals.time += program.total;
    totals.kernels += 1;
    totals.counted_kernels += point.counters ? 1 : 0;
    totals.passes = std::max(totals.passes, point.counters ? point.counters->passes : 0);
    for (const Phase& phase : point.phases) {
      totals.counting += phase.duration;
    }
    for (const auto& [range, time] : program.by_range) {
      totals.by_range[range] += time;
    }
    if (!point.counters) {
      totals.uncounted[why_uncounted(point, by_passes)] += program.total;
    }
  }
  return totals;
}

}  // namespace rooftile
