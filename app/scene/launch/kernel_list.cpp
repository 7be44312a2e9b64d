#include "app/scene/launch/kernel_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "analysis/text/format.hpp"
#include "app/scene/launch/program_list.hpp"
#include "app/scene/program/program_kernels.hpp"
#include "app/scene/state/wording.hpp"

namespace rooftile::scene {
namespace {

Parameters dialled(const AppState& state, const Manifest& manifest) {
  const auto given = state.choice.given.find(manifest.name);
  return complete(manifest, given != state.choice.given.end() ? given->second : Parameters{});
}

// The problem of another kernel of the group, as far as this one knows its parameters.
Parameters same_problem(const AppState& state, const Manifest& manifest, const Parameters& problem) {
  Parameters values = dialled(state, manifest);
  for (const auto& [name, value] : problem) {
    const Parameter* parameter = manifest.parameter(name);
    if (parameter && parameter->accepts(value)) {
      values[name] = value;
    }
  }
  return problem_of(manifest, values);
}

using ProblemByKernel = std::map<std::string_view, Parameters>;

// The kernel whose dials say which problem the group is compared by: the chosen one, or the first of the group.
const Manifest& kernel_setting_the_problem(const AppState& state, const Manifest& first_of_group) {
  const Manifest& chosen = kernel(state);
  return chosen.group == first_of_group.group ? chosen : first_of_group;
}

ProblemByKernel dialled_problems(const AppState& state) {
  ProblemByKernel all;
  const Manifest* first = nullptr;
  Parameters problem;
  for (const Manifest& each : state.known.catalogue) {
    if (!first || first->group != each.group) {
      first = &each;
      problem = dialled(state, kernel_setting_the_problem(state, each));
    }
    all[each.name] = same_problem(state, each, problem);
  }
  return all;
}

// Three digits of TFLOP/s, which the header of the group names; times have their own unit.
std::string figure_of(const Placement& placement) {
  if (!placement.performance) {
    return text(placement.time);
  }
  const double tera = placement.performance->value / 1e12;
  return fmt::format("{:.{}f}", tera, tera < 10 ? 2 : tera < 100 ? 1 : 0);
}

KernelRow row_of(const Manifest& manifest, const Point* best, const Roofs& roofs) {
  KernelRow row{.name = manifest.name,
                .title = manifest.short_title,
                .idea = manifest.idea.empty() ? manifest.source.filename().string() : manifest.idea,
                .figure = {},
                .time = {},
                .share = 0,
                .facts = {manifest.title, manifest.name + ": " + manifest.idea}};
  const auto placement = best ? place(*best, roofs) : std::nullopt;
  if (!placement) {
    row.facts.emplace_back("No recorded launch with these sizes on this GPU.");
    return row;
  }
  row.figure = manifest.flops ? figure_of(*placement) : text(placement->time);
  row.time = placement->time;
  row.facts.push_back(fmt::format("Best with these sizes: {}, with {}",
                                  placement->performance ? placement->rate() : text(placement->time),
                                  variant_text(manifest, best->parameters)));
  return row;
}

// Bars: the speed, as a share of the fastest kernel of the group.
void compare(KernelGroup& group) {
  std::optional<Seconds> fastest;
  for (const KernelRow& row : group.rows) {
    if (row.time && (!fastest || *row.time < *fastest)) {
      fastest = row.time;
    }
  }
  for (KernelRow& row : group.rows) {
    row.share = row.time ? *fastest / *row.time : 0;
  }
}

// The kernels of a program stand last, in the order of the time spent in them.
void add_program(std::vector<KernelGroup>& groups, const AppState& state) {
  const auto any = std::ranges::find_if(state.known.catalogue, is_of_program);
  if (any != state.known.catalogue.end()) {
    groups.push_back({.title = any->group,
                      .unit = "of its GPU time",
                      .open = is_open(state, any->group),
                      .rows = program_rows(state)});
  }
}

}  // namespace

bool is_open(const AppState& state, const std::string& group) {
  const auto by_hand = state.view.groups.find(group);
  return by_hand != state.view.groups.end() ? by_hand->second : group == kernel(state).group;
}

std::map<std::string_view, const Point*> fastest_launches(const AppState& state) {
  std::map<std::string_view, const Point*> fastest;
  for (const auto& [kernel, problem] : dialled_problems(state)) {
    const auto id =
        state.known.recordings.fastest(state.choice.gpu, std::string(kernel), state.choice.caches, problem);
    if (const Point* point = id ? state.known.session.log->point(*id) : nullptr) {
      fastest[kernel] = point;
    }
  }
  return fastest;
}

std::vector<KernelGroup> kernel_groups(const AppState& state, const Roofs& roofs) {
  const auto fastest = fastest_launches(state);
  std::vector<KernelGroup> groups;
  for (const Manifest& each : state.known.catalogue) {
    if (is_of_program(each)) {
      continue;
    }
    if (groups.empty() || groups.back().title != each.group) {
      groups.push_back({.title = each.group,
                        .unit = each.flops ? "best, TFLOP/s" : "best time",
                        .open = is_open(state, each.group),
                        .rows = {}});
    }
    const auto best = fastest.find(each.name);
    groups.back().rows.push_back(row_of(each, best != fastest.end() ? best->second : nullptr, roofs));
  }
  std::ranges::for_each(groups, compare);
  add_program(groups, state);
  return groups;
}

}  // namespace rooftile::scene
