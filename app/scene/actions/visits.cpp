#include "app/scene/actions/visits.hpp"

#include <algorithm>

#include "app/scene/chart/chart_rows.hpp"

namespace rooftile::scene {
namespace {

constexpr std::size_t undo_depth = 100;

std::optional<std::uint64_t> recording_of(const AppState& state, const Parameters& values) {
  return mode(state) == Mode::recorded ? state.known.recordings.seen_at(state.choice.gpu, state.choice.kernel,
                                                                        state.choice.caches, values)
                                       : std::nullopt;
}

}  // namespace

void visit(Choice& choice, std::uint64_t id) {
  std::erase(choice.trail, id);
  choice.trail.push_back(id);
}

void visit_dialled(AppState& state) {
  if (const auto id = recording_of(state, dialled(state))) {
    visit(state.choice, *id);
  }
}

void settle_on_recording(AppState& state) {
  if (mode(state) != Mode::recorded) {
    return;
  }
  const auto find_nearest = [&](Caches caches) {
    return state.known.recordings.nearest(state.choice.gpu, state.choice.kernel, caches, dialled(state));
  };
  auto nearest = find_nearest(state.choice.caches);
  if (!nearest) {
    state.choice.caches = state.choice.caches == Caches::cold ? Caches::warm : Caches::cold;
    nearest = find_nearest(state.choice.caches);
  }
  state.choice.given[state.choice.kernel] = given_of(kernel(state), *nearest);
  visit_dialled(state);
}

void visit_first_dial(AppState& state) {
  if (kernel(state).parameters.empty()) {
    return;
  }
  const Parameter& first = kernel(state).parameters.front();
  Parameters values = dialled(state);
  const double present = values.at(first.name);
  for (const double value : first.values) {
    values[first.name] = value;
    const auto id = value <= present ? recording_of(state, values) : std::nullopt;
    if (id) {
      visit(state.choice, *id);
    }
  }
}

void dial_to(AppState& state, const Point& point) {
  state.choice.kernel = point.kernel;
  state.choice.caches = point.caches;
  state.choice.given[point.kernel] = given_of(kernel(state), point.parameters);
}

void select_launch(AppState& state, const Point& point) {
  dial_to(state, point);
  state.choice.selected = point.id;
  if (std::ranges::find(state.choice.trail, point.id) == state.choice.trail.end()) {
    visit(state.choice, point.id);
  }
}

void remember(AppState& state) {
  state.older_choices.push_back(state.choice);
  if (state.older_choices.size() > undo_depth) {
    state.older_choices.erase(state.older_choices.begin());
  }
}

}  // namespace rooftile::scene
