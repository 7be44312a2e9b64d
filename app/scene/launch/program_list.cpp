#include "app/scene/launch/program_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ranges>
#include <string_view>

#include "analysis/text/format.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/program/program_kernels.hpp"
#include "app/scene/program/program_words.hpp"

namespace rooftile::scene {
namespace {

// The time spent in all shapes of a kernel, or in all kernels.
struct TimeSpent {
  Seconds time;
  double launches = 0;
  int shapes = 0;
  void add(const ProgramLaunches& program) {
    time += program.total;
    launches += program.launches;
    shapes += 1;
  }
};

using TimeByKernel = std::map<std::string_view, TimeSpent>;

double share_of(Seconds part, Seconds all) {
  return all.value > 0 ? part / all : 0;
}

KernelRow program_row(const Manifest& manifest, const TimeSpent& spent, Seconds all) {
  const double share = share_of(spent.time, all);
  const std::string summary = fmt::format("{}, {}, {}", counted(spent.shapes, "shape"),
                                          counted(spent.launches, "launch", "es"), text(spent.time));
  return {.name = manifest.name,
          .title = manifest.short_title,
          .idea = summary,
          .figure = percent(share),
          .time = spent.time,
          .share = share,
          .facts = {manifest.title, manifest.name, summary + " on the GPU",
                    percent(share) + " of the time of all kernels of the program"}};
}

// A kernel that has no launch yet, or none on this GPU.
KernelRow row_without_launch(const Manifest& manifest) {
  return {.name = manifest.name,
          .title = manifest.short_title,
          .idea = manifest.idea,
          .figure = {},
          .time = {},
          .share = 0,
          .facts = {manifest.title, manifest.idea}};
}

}  // namespace

std::vector<KernelRow> program_rows(const AppState& state) {
  TimeByKernel by_kernel;
  TimeSpent all;
  for (const Point* launch : program_launches(state)) {
    by_kernel[launch->kernel].add(*launch->program);
    all.add(*launch->program);
  }
  std::vector<KernelRow> rows;
  for (const Manifest& manifest : state.known.catalogue | std::views::filter(is_of_program)) {
    const auto spent = by_kernel.find(manifest.name);
    rows.push_back(spent != by_kernel.end() ? program_row(manifest, spent->second, all.time)
                                            : row_without_launch(manifest));
  }
  std::ranges::stable_sort(rows, std::ranges::greater{}, [](const KernelRow& row) { return row.share; });
  return rows;
}

std::vector<ShapeRow> shape_rows(const AppState& state) {
  std::vector<ShapeRow> rows;
  if (!is_of_program(kernel(state))) {
    return rows;
  }
  const std::vector<const Point*> launches = program_launches(state, state.choice.kernel);
  TimeSpent all;
  std::ranges::for_each(launches, [&](const Point* launch) { all.add(*launch->program); });
  const Point* current = current_point(state);
  for (const Point* launch : launches | std::views::reverse) {
    const double share = share_of(launch->program->total, all.time);
    rows.push_back({.id = launch->id,
                    .text = shape_text(launch->launch),
                    .figure = percent(share),
                    .share = share,
                    .current = current && current->id == launch->id,
                    .facts = {"Grid and block " + shape_text(launch->launch),
                              fmt::format("{} bytes of dynamic shared memory per block",
                                          count(launch->launch.dynamic_shared_bytes)),
                              fmt::format("{}, {} counted, {} on the GPU",
                                          counted(launch->program->launches, "launch", "es"),
                                          count(launch->program->counted), text(launch->program->total))}});
  }
  return rows;
}

}  // namespace rooftile::scene
