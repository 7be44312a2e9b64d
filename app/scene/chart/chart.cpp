#include "app/scene/chart/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <set>

#include "analysis/model/fit.hpp"
#include "analysis/predict/prediction.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"
#include "app/scene/chart/chart_beside.hpp"
#include "app/scene/chart/chart_rows.hpp"
#include "app/scene/chart/kernel_code.hpp"
#include "app/scene/program/program_kernels.hpp"
#include "app/scene/state/wording.hpp"

namespace rooftile::scene {
namespace {

constexpr const char* roof_hint = "Click to see where this figure comes from.";

// unit: the bytes that the intensity is counted by.
RoofLine line(const MemoryRoof& roof, double unit) {
  return {.level = roof.level,
          .height = roof.bandwidth.value / unit,
          .name = std::string(title(roof.level)),
          .label = fmt::format("{}  {}", title(roof.level), text(roof.bandwidth)),
          .origin = roof.origin,
          .facts = {fmt::format("{} roof  {}", title(roof.level), text(roof.bandwidth)),
                    fmt::format("{}: {}", key(roof.origin), roof.source), roof_hint}};
}

RoofLine line(const ComputeRoof& roof) {
  return {.level = std::nullopt,
          .height = roof.peak.value,
          .name = roof.pipe,
          .label = fmt::format("{}  {}", roof.pipe, text(roof)),
          .origin = roof.origin,
          .facts = {fmt::format("{} roof  {}", roof.pipe, text(roof)),
                    fmt::format("{}: {}", key(roof.origin), roof.source), roof_hint}};
}

std::vector<Origin> origins_of(const Roofs& roofs) {
  std::vector<Origin> result;
  for (const Origin origin : {Origin::measured, Origin::spec, Origin::datasheet}) {
    const auto is_of_it = [&](const auto& roof) { return roof.origin == origin; };
    if (std::ranges::any_of(roofs.memory, is_of_it) || std::ranges::any_of(roofs.compute, is_of_it)) {
      result.push_back(origin);
    }
  }
  return result;
}

// The pipes whose roofs bound the chart from above. The kernels of a program are seen together, and each has
// its own.
std::vector<std::string> ceiling_pipes(const AppState& state) {
  if (chart_kind(state) == ChartKind::instructions) {
    return {warp_issue};
  }
  if (!is_of_program(kernel(state))) {
    return {kernel(state).pipe};
  }
  std::set<std::string> pipes;
  for (const Manifest& manifest : state.known.catalogue | std::views::filter(is_of_program)) {
    pipes.insert(manifest.pipe);
  }
  return {pipes.begin(), pipes.end()};
}

// Warp issue has one roof only, whatever its origin.
const ComputeRoof* find_ceiling(const Roofs& roofs, const std::string& pipe, std::optional<Origin> origin) {
  return roofs.find(pipe, pipe == warp_issue ? std::nullopt : origin);
}

std::string ridge_label(const Chart& chart, FlopsPerByte ridge) {
  return chart.kind == ChartKind::instructions
             ? fmt::format("ridge {:.3g} instructions per transaction", ridge.value)
             : "ridge " + text(ridge);
}

bool has_dots_at(const Chart& chart, MemoryLevel level) {
  return std::ranges::any_of(chart.rows, [&](const ChartRow& row) { return row.dot(level) != nullptr; });
}

// Lowest first.
std::vector<const ComputeRoof*> find_ceilings(const Roofs& roofs, std::span<const std::string> pipes,
                                              std::optional<Origin> origin) {
  std::set<std::string> wanted(pipes.begin(), pipes.end());
  if (std::ranges::any_of(wanted, is_tensor)) {
    wanted.insert(fp32_pipe);
  }
  std::vector<const ComputeRoof*> found;
  for (const std::string& pipe : wanted) {
    if (const ComputeRoof* roof = find_ceiling(roofs, pipe, origin)) {
      found.push_back(roof);
    }
  }
  std::ranges::stable_sort(found, {}, [](const ComputeRoof* roof) { return roof->peak; });
  return found;
}

// Distributed shared memory has a roof only where a launch uses it.
void add_memory_roofs(Chart& chart, const Roofs& roofs, double unit, std::optional<Origin> origin) {
  for (const MemoryLevel level : memory_levels) {
    const MemoryRoof* roof = roofs.find(level, origin);
    if (roof && (level != MemoryLevel::distributed || has_dots_at(chart, level))) {
      chart.roofs.push_back(line(*roof, unit));
    }
  }
}

// A level that is hardly used stands far to the right of all that is of interest.
constexpr double worth_room = 1e-3;

// A range of an axis, which grows to hold a value with room around it.
struct AxisRange {
  double low, high;
  void hold(double value, double below, double above) {
    low = std::min(low, value / below);
    high = std::max(high, value * above);
  }
};

void hold_row(const ChartRow& row, AxisRange& x, AxisRange& y) {
  if (!row.performance) {
    return;
  }
  y.hold(*row.performance, 1.6, 1.6);
  for (const Dot& dot : row.dots) {
    if (dot.intensity && dot.share.value_or(1) >= worth_room) {
      x.hold(*dot.intensity, 2, 2);
    }
  }
}

ChartRow row_at(std::optional<double> performance, std::optional<double> intensity) {
  ChartRow row;
  row.performance = performance;
  row.dots.push_back({.level = MemoryLevel::dram, .intensity = intensity, .share = {}, .bandwidth = {}});
  return row;
}

// Takes the compiled code's model in place of a bound, or says why there is none.
Model read_from_code(Model stated, Point& point, const AppState& state) {
  const CodeAnswer* code = code_at(state, point.parameters);
  if (code && code->launch) {
    return code->launch->model;
  }
  point.modelled.basis = why_no_code(state, point.parameters);
  if (stated.states_work && !point.modelled.basis.empty()) {
    point.notes.push_back("A bound: " + point.modelled.basis);
  }
  return stated;
}

// Gives the point its launch and its figures, where its kernel.toml can be evaluated.
std::optional<std::string> why_not_modelled(Point& point, const Manifest& manifest, const Gpu& gpu,
                                            const Roofs& roofs, const AppState& state) {
  try {
    const Model modelled = read_from_code(model(manifest, point.parameters, gpu.sm_count), point, state);
    const std::string why_unknown = point.modelled.basis;
    point.launch = modelled.launch;
    point.modelled = figures_of(modelled);
    point.modelled.basis = why_unknown;
    if (const auto prediction = predict(modelled, point.compiled, gpu, roofs, point.caches)) {
      note(*prediction, point.modelled);
    }
    return std::nullopt;
  } catch (const Error& error) {
    return error.what();
  }
}

// The newest counted launch decides where the kernel does not say.
bool has_flops(const AppState& state) {
  const Manifest& manifest = kernel(state);
  if (manifest.states_work) {
    return manifest.flops.has_value();
  }
  const auto& points = state.known.session.log->points;
  const auto counted = std::find_if(points.rbegin(), points.rend(), [&](const Point& point) {
    return point.kernel == manifest.name && point.counted_flops();
  });
  if (const CodeAnswer* code = code_at(state, dialled(state));
      code && code->launch && counted == points.rend()) {
    return code->launch->model.flops.has_value();
  }
  return counted == points.rend() || counted->counted_flops()->value > 0;
}

}  // namespace

Roofs roofs_of(const AppState& state) {
  return roofs_of(state, state.choice.gpu);
}

Roofs roofs_of(const AppState& state, const std::string& gpu) {
  if (const Roofs* roofs = state.known.session.log->roofs_of(gpu)) {
    return *roofs;
  }
  const Gpu* known = gpu_called(state, gpu);
  return known ? datasheet_roofs(*known) : Roofs{};
}

LaunchBasis launch_basis(const AppState& state) {
  const Gpu* device = gpu(state);
  return {state.known.session.log, roofs_of(state), device ? std::optional(*device) : std::nullopt,
          state.view.bytes};
}

std::optional<Compiled> compiled_before(const AppState& state, const Parameters& parameters, const Gpu& gpu) {
  for (const Caches caches : {Caches::cold, Caches::warm}) {
    for (const std::uint64_t id :
         state.known.recordings.known_at(state.choice.gpu, state.choice.kernel, caches, parameters)) {
      const Point* point = state.known.session.log->point(id);
      if (point && point->compiled) {
        return point->compiled;
      }
    }
  }
  return state.known.compiled.find(state.choice.kernel, parameters, gpu.cc);
}

std::optional<Ghost> ghost(const AppState& state, const Roofs& roofs) {
  return ghost_at(state, roofs, dialled(state));
}

std::optional<Ghost> ghost_at(const AppState& state, const Roofs& roofs, const Parameters& values) {
  const Manifest& manifest = kernel(state);
  const Gpu* chosen = gpu(state);
  if (!chosen || is_of_program(manifest) || why_illegal(manifest, values)) {
    return std::nullopt;
  }
  Point point;
  point.kernel = manifest.name;
  point.parameters = values;
  point.caches = state.choice.caches;
  point.gpu = state.choice.gpu;
  point.compiled = compiled_before(state, values, *chosen);
  point.failure = why_not_modelled(point, manifest, *chosen, roofs, state);
  if (!point.failure) {
    point.failure = why_unfit(manifest, point.parameters, point.launch, point.compiled, *chosen);
  }
  auto placement = place_on_chart(state, point, roofs);
  return Ghost{std::move(point), std::move(placement)};
}

ChartKind chart_kind(const AppState& state) {
  return state.view.instructions ? ChartKind::instructions
         : has_flops(state)      ? ChartKind::roofline
                                 : ChartKind::shares;
}

std::optional<Placement> place_on_chart(const AppState& state, const Point& point, const Roofs& roofs) {
  return chart_kind(state) == ChartKind::instructions ? place_instructions(point, roofs, state.view.bytes)
                                                      : place(point, roofs, state.view.bytes);
}

Chart chart(const AppState& state, PlacedRows& placed, const Roofs& roofs, const std::optional<Ghost>& ghost) {
  Chart result;
  result.kind = chart_kind(state);
  result.origins = origins_of(roofs);
  add_rows(result, state, placed, roofs);
  add_beside(result, state);
  if (ghost && ghost->placement) {
    result.ghost = chart_row(ghost->point, *ghost->placement);
    result.ghost->figure = figure(*ghost->placement);
    result.ghost->label = variant_text(kernel(state), ghost->point.parameters);
  }
  add_roofs(result, roofs, ceiling_pipes(state), state.view.origin);
  return result;
}

void add_roofs(Chart& chart, const Roofs& roofs, std::span<const std::string> pipes,
               std::optional<Origin> origin) {
  const double unit = chart.kind == ChartKind::instructions ? sector_bytes : 1;
  add_memory_roofs(chart, roofs, unit, origin);
  const auto ceilings = find_ceilings(roofs, pipes, origin);
  for (const ComputeRoof* roof : ceilings) {
    chart.roofs.push_back(line(*roof));
  }
  if (ceilings.empty()) {
    return;
  }
  chart.peak = ceilings.back()->peak.value;
  if (const MemoryRoof* dram = roofs.find(MemoryLevel::dram, origin)) {
    const FlopsPerByte ridge = unit * ridge_point(dram->bandwidth, ceilings.back()->peak);
    chart.ridge = ridge.value;
    chart.ridge_label = ridge_label(chart, ridge);
  }
}

Axes axes_around(const Chart& chart) {
  const bool instructions = chart.kind == ChartKind::instructions;
  AxisRange x{0.05, 500};
  AxisRange y{instructions ? 1e10 : 1e12, instructions ? 1e12 : 1e13};
  if (chart.peak > 0) {
    y = {chart.peak / 400, chart.peak * 2};
    for (const RoofLine& roof : chart.roofs) {
      if (roof.level) {
        x.hold(chart.peak / roof.height, 40, 150);
      } else {
        y.hold(roof.height, 2, 2);
      }
    }
  }
  for (const ChartRow& row : chart.rows) {
    hold_row(row, x, y);
  }
  return {x.low, x.high, y.low, y.high};
}

Axes fitted_axes(const AppState& state, const Roofs& roofs) {
  const std::vector<std::string> pipes = ceiling_pipes(state);
  Chart all;
  all.kind = chart_kind(state);
  const auto hold = [&](const Roofs& of_gpu) {
    for (const std::string& pipe : pipes) {
      const LaunchExtents::Reach reach = state.known.extents.reach(of_gpu, pipe, worth_room);
      all.rows.push_back(row_at(reach.performance.low, reach.intensity.low));
      all.rows.push_back(row_at(reach.performance.high, reach.intensity.high));
    }
  };
  hold(roofs);
  if (!state.view.beside.empty()) {
    hold(roofs_of(state, state.view.beside));
  }
  if (const auto model_says = kernel(state).states_work ? std::nullopt : ghost(state, roofs);
      model_says && model_says->placement) {
    all.rows.push_back(chart_row(model_says->point, *model_says->placement));
  }
  add_roofs(all, roofs, pipes, std::nullopt);
  return axes_around(all);
}

}  // namespace rooftile::scene
