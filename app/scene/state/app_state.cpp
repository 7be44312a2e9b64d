#include "app/scene/state/app_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <utility>

#include "analysis/exchange/winner.hpp"
#include "analysis/record/session_beside.hpp"
#include "analysis/source/launch_version.hpp"
#include "analysis/text/format.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/chart/chart_rows.hpp"
#include "app/scene/launch/dials.hpp"
#include "app/scene/launch/kernel_list.hpp"
#include "app/scene/launch/launch_changes.hpp"
#include "app/scene/launch/launch_form.hpp"
#include "app/scene/launch/source_view.hpp"
#include "app/scene/map/landscape.hpp"
#include "app/scene/map/sweep_plan.hpp"
#include "app/scene/program/program_kernels.hpp"
#include "app/scene/program/program_list.hpp"
#include "app/scene/state/best_launch.hpp"
#include "app/scene/state/reconcile.hpp"
#include "app/scene/state/visits.hpp"
#include "app/scene/table/point_rows.hpp"
#include "app/scene/verdict/advice_view.hpp"
#include "app/scene/verdict/subject.hpp"

namespace rooftile::scene {
namespace {

std::string device_text(const AppState& state) {
  const Gpu* device = gpu(state);
  if (!device) {
    return state.known.session.reading    ? "reading the session"
           : state.known.session.starting ? "starting the worker"
           : state.known.session.program  ? "no GPU used yet"
                                          : "no GPU";
  }
  const Point* current = current_point(state);
  const auto held = current && current->counters ? current->counters->sm_clock : std::nullopt;
  return fmt::format("{}   CC {}   {} SMs   {}{}", device->name, text(device->cc), device->sm_count,
                     text(held ? *held : device->boost_clock), held ? " held" : " boost");
}

// The row the current point was drawn at, so that it can be seen moving from there.
std::optional<ChartRow> last_row(const Chart& chart) {
  return chart.rows.empty() ? std::nullopt : std::optional(chart.rows.back());
}

bool moved(const std::optional<ChartRow>& before, const std::optional<ChartRow>& after) {
  return before && after && before->id != after->id &&
         before->performance.has_value() == after->performance.has_value();
}

void follow_move(AppState& state, const std::optional<ChartRow>& before) {
  if (state.settings.animate && moved(before, last_row(state.derived.shown.chart))) {
    state.view.motion = Motion{*before, state.now};
  }
}

std::optional<std::string> why_no_sweep(const AppState& state) {
  if (is_of_program(kernel(state))) {
    return "A program's kernel has no dials to sweep.";
  }
  if (mode(state) == Mode::predicted) {
    return "A sweep needs a GPU that measures, or a recording of this kernel.";
  }
  return std::nullopt;
}

bool map_is_open(const AppState& state) {
  return state.view.lower == LowerPanel::map || state.view.drawer == Drawer::map;
}

// What the sweep's panel and the map say of it, while they are open.
void show_sweep(AppState& state) {
  const bool open = state.view.sweep_open;
  state.derived.shown.sweep = open ? sweep_plan(state, std::move(state.derived.shown.sweep)) : SweepPlan{};
  state.derived.shown.sweep_news = open ? sweep_news(state) : std::vector<std::string>{};
  if (open) {
    std::ranges::move(search_news(state), std::back_inserter(state.derived.shown.sweep_news));
  }
  const Point* best = open || map_is_open(state) ? best_launch(state) : nullptr;
  state.derived.shown.measure_line = best ? std::optional(measure_line(kernel(state), *best)) : std::nullopt;
}

Subject subject_of(const AppState& state, const Roofs& roofs, const Point& ghost) {
  const Point* current = current_point(state);
  return subject(state, current ? *current : ghost, roofs);
}

// What the user has selected, as long as the dials stand there.
const Point* selected_point(const AppState& state, const Parameters& wanted) {
  const Point* point = state.choice.selected ? state.known.session.log->point(*state.choice.selected) : nullptr;
  const bool is_there = point && point->kernel == state.choice.kernel && point->gpu == state.choice.gpu &&
                        point->caches == state.choice.caches && point->parameters == wanted;
  return is_there ? point : nullptr;
}

// Those of the place that are known by it are asked first: the trail may be long.
const Point* newest_visited_at(const AppState& state, const Parameters& wanted) {
  const auto& trail = state.choice.trail;
  const auto known =
      state.known.recordings.known_at(state.choice.gpu, state.choice.kernel, state.choice.caches, wanted);
  if (known.empty()) {
    return nullptr;
  }
  const auto newest = std::find_first_of(trail.rbegin(), trail.rend(), known.begin(), known.end());
  if (newest != trail.rend()) {
    return state.known.session.log->point(*newest);
  }
  for (const std::uint64_t id : trail | std::views::reverse) {  // an older launch of the place
    const Point* point = state.known.session.log->point(id);
    if (point && point->kernel == state.choice.kernel && point->gpu == state.choice.gpu &&
        point->caches == state.choice.caches && point->parameters == wanted &&
        !state.known.earlier.contains(point->id)) {
      return point;
    }
  }
  return nullptr;
}

// Of another source, or as kernel.toml says no more. Bundled kernels stay what they were.
bool is_launched_otherwise(const AppState& state, const Point& point) {
  const auto version = state.known.versions.find(point.kernel);
  if (version == state.known.versions.end()) {
    return false;
  }
  const Manifest& manifest = find_kernel(state.known.catalogue, point.kernel);
  const bool has_all =
      std::ranges::all_of(point.parameters, [&](const auto& each) { return manifest.parameter(each.first); });
  return !has_all || (!point.version.empty() && point.version != version->second);
}

// Files all launches again after kernels changed; results of the former kernels go.
void follow_log_again(AppState& state) {
  state.known.versions.clear();
  for (const auto& [name, text] : state.known.manifests) {
    if (const Manifest* manifest = known_kernel(state.known.catalogue, name)) {
      const auto source = state.known.sources.find(name);
      state.known.versions[name] =
          launch_version(*manifest, source != state.known.sources.end() ? source->second : "");
    }
  }
  state.derived.places.reset();
  state.derived.advice.reset();
  state.derived.kept_map = {};
  state.derived.shown.landscape = {};
  state.derived.shown.sweep = {};
  state.known.recordings = {};
  state.known.earlier.clear();
  state.known.followed = 0;
  follow_log(state);
}

bool form_is_open(const AppState& state) {
  return state.view.lower == LowerPanel::launch || state.view.drawer == Drawer::launch;
}

// Of a kernel that has none, nothing is shown in its place.
void show_launch_form(AppState& state) {
  state.derived.shown.has_launch_form = has_launch_form(state);
  if (!state.derived.shown.has_launch_form && state.view.lower == LowerPanel::launch) {
    state.view.lower = LowerPanel::points;
  }
  if (!state.derived.shown.has_launch_form && state.view.drawer == Drawer::launch) {
    state.view.drawer.reset();
  }
  state.derived.shown.launch_form = form_is_open(state) ? std::optional(launch_form(state)) : std::nullopt;
}

}  // namespace

const Manifest& kernel(const AppState& state) {
  return find_kernel(state.known.catalogue, state.choice.kernel);
}

Parameters dialled(const AppState& state) {
  const auto given = state.choice.given.find(state.choice.kernel);
  return complete(kernel(state), given != state.choice.given.end() ? given->second : Parameters{});
}

Configuration configuration(const AppState& state) {
  return {state.choice.kernel, dialled(state), state.choice.caches,
          state.view.bytes == ByteDefinition::returned};
}

const Gpu* gpu(const AppState& state) {
  return gpu_called(state, state.choice.gpu);
}

const Gpu* gpu_called(const AppState& state, const std::string& name) {
  const Gpu* of_session = state.known.session.log->gpu(name);
  return of_session || name.empty() ? of_session : find_gpu(state.known.gpus, name);
}

std::string other_gpu(const AppState& state) {
  const std::string same = name_beside(state.choice.gpu, "");
  std::string other;
  for (const DeviceRecord& device : state.known.session.log->devices) {
    const std::string& name = device.gpu.name;
    if (name.starts_with(same.substr(0, same.size() - 1))) {
      return name;
    }
    other = name != state.choice.gpu ? name : other;
  }
  return other;
}

Mode mode(const AppState& state) {
  if (!state.known.session.device.empty() && state.choice.gpu == state.known.session.device) {
    return Mode::live;
  }
  return state.known.recordings.any(state.choice.gpu, state.choice.kernel) ? Mode::recorded : Mode::predicted;
}

// On a predicted GPU nothing is launched and visited: what did not compile is known by its place alone.
const Point* failed_at(const AppState& state, const Parameters& place) {
  const auto known =
      state.known.recordings.known_at(state.choice.gpu, state.choice.kernel, state.choice.caches, place);
  const Point* newest = known.empty() ? nullptr : state.known.session.log->point(known.front());
  return newest && newest->failure ? newest : nullptr;
}

const Point* current_point(const AppState& state) {
  const Parameters wanted = dialled(state);
  if (const Point* selected = selected_point(state, wanted)) {
    return selected;
  }
  if (const Point* there = newest_visited_at(state, wanted)) {
    return there;
  }
  for (const std::uint64_t id : state.choice.trail | std::views::reverse) {
    const Point* point = state.known.session.log->point(id);
    if (point && point->kernel == state.choice.kernel && point->gpu == state.choice.gpu) {
      return point;
    }
  }
  return failed_at(state, wanted);
}

void refresh(AppState& state) {
  const std::optional<ChartRow> before = last_row(state.derived.shown.chart);
  const Roofs roofs = roofs_of(state);
  const std::optional<Ghost> model_says = ghost(state, roofs);
  state.derived.shown.device = device_text(state);
  state.derived.shown.dials = dials(state);
  state.derived.shown.compile_cost = compile_cost(state);
  state.derived.shown.shapes = shape_rows(state);
  state.derived.shown.why_no_sweep = why_no_sweep(state);
  show_sweep(state);
  state.derived.shown.chart = chart(state, state.derived.placed, roofs, model_says);
  state.derived.shown.kernels = kernel_groups(state, roofs);
  state.derived.shown.table =
      point_table(state, state.derived.table_keys, std::move(state.derived.shown.table));
  state.derived.shown.landscape = map_is_open(state) ? landscape(state, roofs, state.derived.kept_map,
                                                                 std::move(state.derived.shown.landscape))
                                                     : Landscape{};
  state.derived.shown.source = source_view(state);
  show_launch_form(state);
  state.derived.shown.roofs = roof_table(roofs);
  const Point* current = current_point(state);
  state.derived.shown.has_returned_bytes = current && counted_by(*current, ByteDefinition::returned);
  state.derived.shown.has_instructions = current && current->counters && current->counters->warp_instructions;
  state.derived.shown.subject.reset();
  if (current || model_says) {
    state.derived.shown.subject = subject_of(state, roofs, model_says ? model_says->point : Point{});
  }
  add_advice(state, roofs);
  follow_move(state, before);
}

void tell(AppState& state, Message::Kind kind, std::string text) {
  state.view.message = Message{kind, std::move(text), state.now};
}

bool pass_time(AppState& state, double now) {
  state.now = now;
  const bool motion_over = state.view.motion && now - state.view.motion->started > motion_seconds;
  const bool message_over = state.view.message && now - state.view.message->since > message_seconds;
  if (motion_over) {
    state.view.motion.reset();
  }
  if (message_over) {
    state.view.message.reset();
  }
  return motion_over || message_over;
}

// The first counted launch of a kernel without [work]: until then nobody knows where it stands.
bool is_first_place(AppState& state, const Point& point) {
  const Manifest* known = known_kernel(state.known.catalogue, point.kernel);
  return known && !known->states_work && !point.program && point.counters &&
         state.known.placed_kernels.insert(point.kernel).second;
}

// Only what has changed since the last time: a session grows to many thousands of points.
void follow_log(AppState& state) {
  const PointList& points = state.known.session.log->points;
  bool fits_no_more = false;
  for (const std::size_t position :
       points.changed_since(std::exchange(state.known.followed, points.revision()))) {
    const Point& point = points[position];
    learn_kernel(state, point);
    if (is_launched_otherwise(state, point)) {
      state.known.earlier.insert(point.id);
    } else {
      state.known.recordings.add(point, state.known.catalogue);
    }
    state.known.extents.add(point);
    const bool is_over = landed(point) || point.failure;
    if (is_over && !state.known.session.device.empty()) {
      land_live(state, point.id);
    }
    fits_no_more = (is_first_place(state, point) && point.kernel == state.choice.kernel) || fits_no_more;
  }
  if (fits_no_more) {
    state.view.axes = fitted_axes(state, roofs_of(state));
  }
  reconcile(state);
}

void use_kernels(AppState& state, std::vector<Manifest> kernels, KernelTexts texts) {
  std::ranges::copy_if(state.known.catalogue, std::back_inserter(kernels), is_of_program);
  state.known.catalogue = std::move(kernels);
  state.known.manifests = std::move(texts.manifests);
  state.known.sources = std::move(texts.sources);
  state.view.sweep = {};
  drop_old_edits(state);
  follow_log_again(state);
}

void use_source(AppState& state, const std::string& kernel, std::string text) {
  state.known.sources[kernel] = std::move(text);
  follow_log_again(state);
}

}  // namespace rooftile::scene
