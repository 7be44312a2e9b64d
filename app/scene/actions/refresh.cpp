#include "app/scene/actions/refresh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "analysis/exchange/winner.hpp"
#include "analysis/text/format.hpp"
#include "app/scene/access/access_view.hpp"
#include "app/scene/actions/predicted_places.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/chart/chart_rows.hpp"
#include "app/scene/launch/dials.hpp"
#include "app/scene/launch/kernel_list.hpp"
#include "app/scene/launch/launch_form.hpp"
#include "app/scene/launch/program_list.hpp"
#include "app/scene/launch/source_view.hpp"
#include "app/scene/lesson/lesson_play.hpp"
#include "app/scene/map/landscape.hpp"
#include "app/scene/map/sweep_plan.hpp"
#include "app/scene/memory/memory_view.hpp"
#include "app/scene/program/program_kernels.hpp"
#include "app/scene/state/best_launch.hpp"
#include "app/scene/table/point_rows.hpp"
#include "app/scene/tile/tile_view.hpp"
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
                     text(held ? *held : device->boost_clock), held ? " measured" : " boost");
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

bool is_predicted_here(const AppState& state) {
  const Point* current = current_point(state);
  return current && current->modelled.time;
}

std::optional<std::string> why_no_sweep(const AppState& state) {
  if (is_of_program(kernel(state))) {
    return "A program's kernel has no dials to sweep.";
  }
  if (mode(state) == Mode::predicted && !is_predicted_here(state)) {
    return "A sweep needs a GPU that measures, a recording of this kernel, or a prediction.";
  }
  return std::nullopt;
}

void show_dials(AppState& state) {
  state.derived.shown.device = device_text(state);
  state.derived.shown.dials = dials(state);
  state.derived.shown.compile_cost = compile_cost(state);
  state.derived.shown.shapes = shape_rows(state);
  state.derived.shown.why_no_sweep = why_no_sweep(state);
}

// The sweep in the words of its panel and of the map, while one of them is open.
void show_sweep(AppState& state) {
  Shown& shown = state.derived.shown;
  const bool open = state.view.sweep_open;
  shown.sweep = open ? sweep_plan(state, std::move(shown.sweep)) : SweepPlan{};
  shown.sweep_news = open ? sweep_news(state) : std::vector<std::string>{};
  if (open) {
    std::ranges::move(search_news(state), std::back_inserter(shown.sweep_news));
  }
  const Point* best = open || is_open(state.view, Panel::map) ? best_launch(state) : nullptr;
  shown.measure_line = best ? std::optional(measure_line(kernel(state), *best)) : std::nullopt;
}

void show_chart(AppState& state, const Roofs& roofs) {
  const std::optional<ChartRow> before = last_row(state.derived.shown.chart);
  const bool is_visited = mode(state) == Mode::predicted;  // the prediction stands on the trail
  state.derived.shown.chart =
      chart(state, state.derived.placed, roofs, is_visited ? std::nullopt : ghost(state, roofs));
  if (hides_figures(state)) {
    state.derived.shown.chart.rows.clear();
    state.derived.shown.chart.ghost.reset();
  }
  follow_move(state, before);
}

void show_map(AppState& state, const Roofs& roofs) {
  Landscape& map = state.derived.shown.landscape;
  map = is_open(state.view, Panel::map) ? landscape(state, roofs, state.derived.kept_map, std::move(map))
                                        : Landscape{};
}

// The current launch, else what the model says of the place.
void show_subject(AppState& state, const Roofs& roofs) {
  Shown& shown = state.derived.shown;
  const Point* current = current_point(state);
  shown.has_returned_bytes = current && counted_by(*current, ByteDefinition::returned);
  shown.has_instructions = current && current->counters && current->counters->warp_instructions;
  shown.subject.reset();
  if (hides_figures(state)) {
    return;
  }
  if (current) {
    shown.subject = subject(state, *current, roofs);
  } else if (const auto model_says = ghost(state, roofs)) {
    shown.subject = subject(state, model_says->point, roofs);
  }
  if (shown.subject) {
    add_advice(*shown.subject, state, state.derived.advice, roofs);
  }
}

void show_advised_place(AppState& state, const Roofs& roofs) {
  Shown& shown = state.derived.shown;
  shown.chart.advised.reset();
  shown.landscape.advised.reset();
  if (shown.subject && shown.subject->advice && shown.subject->advice->advice.move) {
    const Move& move = *shown.subject->advice->advice.move;
    shown.chart.advised = advised_row(state, roofs, move);
    shown.landscape.advised = advised_cell(shown.landscape, move.place);
  }
}

// A panel that the kernel does not have gives way to another.
void leave(View& view, Panel panel, bool has_it) {
  if (!has_it && view.lower == panel) {
    view.lower = Panel::points;
  }
  if (!has_it && view.drawer == panel) {
    view.drawer.reset();
  }
}

void show_launch_form(AppState& state) {
  Shown& shown = state.derived.shown;
  shown.has_launch_form = has_launch_form(state);
  shown.has_times = is_of_program(kernel(state));
  leave(state.view, Panel::launch, shown.has_launch_form);
  leave(state.view, Panel::times, shown.has_times);
  shown.launch_form = is_open(state.view, Panel::launch) ? std::optional(launch_form(state)) : std::nullopt;
}

// The source and the pictures of its accesses.
void show_pictures(AppState& state) {
  const View& view = state.view;
  const auto open = [&](Panel panel) { return is_open(view, panel); };
  Made& made = state.derived.made;
  Shown& shown = state.derived.shown;
  const std::uint64_t revision = state.derived.revision;
  const bool hidden = hides_figures(state);
  if (made.source.outdated(revision, open(Panel::source), hidden, state.view.machine_code)) {
    shown.source = open(Panel::source) ? source_view(state) : SourceView{};
  }
  if (made.banks.outdated(revision, open(Panel::banks), view.access, view.steps, hidden)) {
    shown.banks = open(Panel::banks) ? bank_view(state, shown.banks.access) : AccessView{};
    shown.banks.hides = hidden;
  }
  if (made.sectors.outdated(revision, open(Panel::sectors), view.access, view.steps, hidden)) {
    shown.sectors = open(Panel::sectors) ? sector_view(state, shown.sectors.access) : AccessView{};
    shown.sectors.hides = hidden;
  }
  if (made.tile.outdated(revision, open(Panel::tile), view.steps, hidden)) {
    shown.tile = open(Panel::tile) ? tile_view(state) : TileView{};
    shown.tile.hides = hidden;
  }
}

}  // namespace

void refresh_look(AppState& state) {
  const View& view = state.view;
  const auto open = [&](Panel panel) { return is_open(view, panel); };
  const Roofs roofs = roofs_of(state);
  Made& made = state.derived.made;
  Shown& shown = state.derived.shown;
  const std::uint64_t revision = state.derived.revision;
  const bool hidden = hides_figures(state);
  if (made.dials.outdated(revision)) {
    show_dials(state);
  }
  if (made.form.outdated(revision, open(Panel::launch), view.edits)) {
    show_launch_form(state);
  }
  if (made.sweep.outdated(revision, view.sweep_open, open(Panel::map), view.sweep, view.map)) {
    show_sweep(state);
  }
  if (made.kernels.outdated(revision, view.groups)) {
    shown.kernels = kernel_groups(state, roofs);
  }
  if (made.table.outdated(revision, view.bytes, view.table)) {
    shown.table = point_table(state, state.derived.table_keys, std::move(shown.table));
  }
  if (made.roofs.outdated(revision, open(Panel::roofs))) {
    shown.roofs = open(Panel::roofs) ? roof_table(roofs) : std::vector<RoofRow>{};
  }
  if (is_frozen(state)) {
    return;
  }
  if (state.view.presentation) {
    state.view.presentation->frozen.reset();
  }
  show_pictures(state);
  const bool new_chart = made.chart.outdated(revision, view.bytes, view.origin, view.instructions,
                                             view.occupancy_on_dots, view.beside, hidden, view.ladder);
  if (new_chart) {
    show_chart(state, roofs);
  }
  const bool new_map =
      made.map.outdated(revision, view.bytes, open(Panel::map), view.map) || shown.landscape.unfinished;
  if (new_map) {
    show_map(state, roofs);
  }
  const std::set<std::uint64_t> explained = open(Panel::why) ? view.selection : std::set<std::uint64_t>{};
  const bool new_subject =
      made.subject.outdated(revision, view.level, view.bytes, view.compared, open(Panel::curves),
                            open(Panel::why), explained, hidden, view.ladder);
  if (new_subject) {
    show_subject(state, roofs);
  }
  if (made.memory.outdated(revision, view.level, view.bytes, open(Panel::memory), hidden)) {
    shown.memory = open(Panel::memory) ? memory_view(state) : MemoryView{};
  }
  if (new_chart || new_map || new_subject) {
    show_advised_place(state, roofs);
  }
}

bool play_steps(AppState& state) {
  constexpr double steps_a_second = 2.5, longest_play = 20;  // [s]
  StepChoice& choice = state.view.steps;
  const std::size_t steps = steps_shown(state);
  if (!choice.playing) {
    return false;
  }
  const double pace = std::max(steps_a_second, static_cast<double>(steps) / longest_play);
  const auto due = choice.playing->from + static_cast<std::size_t>(pace * (state.now - choice.playing->began));
  if (due == choice.step && due + 1 < steps) {
    return false;
  }
  choice.step = std::min(due, std::max<std::size_t>(steps, 1) - 1);
  if (due + 1 >= steps) {
    choice.playing.reset();
  }
  refresh_look(state);
  return true;
}

void refresh(AppState& state) {
  visit_predicted(state);
  ++state.derived.revision;
  refresh_look(state);
}

}  // namespace rooftile::scene
