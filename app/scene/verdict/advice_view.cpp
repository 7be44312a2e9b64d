#include "app/scene/verdict/advice_view.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/advice/advice_words.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/chart/chart_rows.hpp"
#include "app/scene/chart/kernel_code.hpp"
#include "app/scene/program/program_kernels.hpp"
#include "app/scene/verdict/why_view.hpp"

namespace rooftile::scene {
namespace {

// The dial moves whose compiled code was read.
void know_code(const AppState& state, Places& places) {
  const std::string version = code_version(state, state.choice.kernel);
  for (const auto& [place, answer] : state.known.code) {
    if (answer.launch && place.kernel == state.choice.kernel && place.gpu == state.choice.gpu &&
        place.version == version) {
      places.know(place.values, answer.launch->model);
    }
  }
}

// No advice leads where bounds alone are known.
Model without_code(const Manifest& kernel, const Parameters& place, const Gpu& gpu) {
  return is_read_from_code(kernel) ? throw Error("Its compiled code is not read yet.")
                                   : stated_model(kernel, place, gpu);
}

// The places of the last call, unless another kernel, GPU or roof is asked about.
Places& places_of(const AppState& state, KeptAdvice& kept, const Gpu& gpu, const Roofs& roofs) {
  auto& places = kept.places;
  if (!places || places->manifest().name != state.choice.kernel || places->gpu() != gpu ||
      places->roofs() != roofs) {
    places.emplace(kernel(state), gpu, roofs, without_code);
    kept.last.reset();
  }
  if (is_read_from_code(kernel(state))) {
    know_code(state, *places);
  }
  return *places;
}

bool is_of(const Parameters& problem, const Parameters& place) {
  return std::ranges::all_of(problem, [&](const auto& each) {
    const auto value = place.find(each.first);
    return value != place.end() && value->second == each.second;
  });
}

// Launches of the same problem alone: a session may hold many thousands of others, which would only tell what a
// compiler made of their dials.
KnownLaunches known_launches(const AppState& state, const Point& here) {
  const Parameters problem = problem_of(kernel(state), here.parameters);
  KnownLaunches known(kernel(state));
  for (const Caches caches : {Caches::cold, Caches::warm}) {
    state.known.recordings.each(
        state.choice.gpu, state.choice.kernel, caches, [&](const Parameters& place, std::uint64_t id) {
          const Point* point = is_of(problem, place) ? state.known.session.log->points.find(id) : nullptr;
          if (point) {
            known.add({place, point});
          }
        });
  }
  return known;
}

// Kept between calls: each move of the pointer asks again.
const std::optional<Advice>& advice_for(const AppState& state, KeptAdvice& kept, const Point& point,
                                        const Gpu& gpu, const Roofs& roofs) {
  Places& places = places_of(state, kept, gpu, roofs);
  const std::uint64_t revision = state.known.session.log->points.revision();
  const std::uint64_t of_code = state.known.code_revision;
  if (!kept.last || kept.last->revision != revision || kept.last->of_code != of_code ||
      kept.last->point != point) {
    kept.last = {point, revision, of_code,
                 advise(places, point, known_launches(state, point), state.known.compiled.of(point.kernel))};
  }
  return kept.last->advice;
}

std::optional<std::string> why_not(const AppState& state, const Advice& advice) {
  const bool unreachable = advice.move && !advice.move->launch && mode(state) == Mode::recorded;
  return unreachable ? std::optional<std::string>("Not recorded. Measuring it needs this GPU.") : std::nullopt;
}

bool is_right(const Point& point) {
  return point.sound();
}

std::optional<AdviceInWords> advice_in_words(const AppState& state, KeptAdvice& kept, const Point& point,
                                             const Roofs& roofs) {
  const Gpu* device = gpu(state);
  if (!device || point.kernel != state.choice.kernel || !is_right(point) || is_of_program(kernel(state))) {
    return {};
  }
  const std::optional<Advice>& advice = advice_for(state, kept, point, *device, roofs);
  return advice ? std::optional(in_words(*advice, kernel(state))) : std::nullopt;
}

std::optional<AdviceOutcome> outcome_of(const AppState& state, const Point& point) {
  const auto& followed = state.view.followed;
  const bool arrived = followed && point.timing && point.kernel == followed->kernel &&
                       point.gpu == followed->gpu && point.parameters == followed->place.values &&
                       point.caches == followed->place.caches;
  if (!arrived) {
    return {};
  }
  AdviceOutcome outcome{
      fmt::format("Predicted {}, measured {}.", text(followed->predicted), text(point.timing->median)),
      point.timing->median >= followed->before};
  if (outcome.wrong) {
    outcome.sentence += fmt::format(" The advice was wrong: it took {} before.", text(followed->before));
  }
  return outcome;
}

// The launch that was measured there, or a predicted one that takes the advised time.
std::optional<Point> advised_point(const AppState& state, const Roofs& roofs, const Move& move) {
  if (move.launch) {
    const Point* point = state.known.session.log->point(*move.launch);
    return point ? std::optional(*point) : std::nullopt;
  }
  auto there = ghost_at(state, roofs, move.place);
  if (!there || why_not_predicted(there->point)) {
    return {};
  }
  there->point.modelled.time = move.time;
  return there->point;
}

}  // namespace

void add_advice(Subject& subject, const AppState& state, KeptAdvice& kept, const Roofs& roofs) {
  subject.advice = advice_in_words(state, kept, subject.point, roofs);
  subject.why_not = subject.advice ? why_not(state, subject.advice->advice) : std::nullopt;
  subject.outcome = outcome_of(state, subject.point);
  if (is_open(state.view, Panel::why)) {
    subject.why = why_view(state, subject.point, roofs);
  }
}

std::optional<ChartRow> advised_row(const AppState& state, const Roofs& roofs, const Move& move) {
  const auto point = advised_point(state, roofs, move);
  const auto placement = point ? place_on_chart(state, *point, roofs) : std::nullopt;
  if (!placement) {
    return {};
  }
  ChartRow row = chart_row(*point, *placement);
  row.figure = fmt::format("{:.2f}x", move.gain);
  return row;
}

std::optional<std::size_t> advised_cell(const Landscape& map, const Parameters& place) {
  const auto stands_at = [&](const MapCell& cell, const MapAxis& axis) {
    return axis.values.empty() || cell.place.at(axis.parameter) == place.at(axis.parameter);
  };
  const auto cell = std::ranges::find_if(
      map.cells, [&](const MapCell& each) { return stands_at(each, map.across) && stands_at(each, map.down); });
  return cell != map.cells.end() && !cell->present ? std::optional<std::size_t>(cell - map.cells.begin())
                                                   : std::nullopt;
}

}  // namespace rooftile::scene
