#include "app/scene/state/app_state.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

#include "analysis/record/session_beside.hpp"
#include "app/scene/chart/chart.hpp"

namespace rooftile::scene {
namespace {

// The launch that the user has selected, as long as the dials stand there.
const Point* selected_point(const AppState& state, const Parameters& wanted) {
  const Point* point = state.choice.selected ? find_point(state, *state.choice.selected) : nullptr;
  const bool is_there = point && point->kernel == state.choice.kernel && point->gpu == state.choice.gpu &&
                        point->caches == state.choice.caches && point->parameters == wanted;
  return is_there ? point : nullptr;
}

// Asks first the launches that are known at the place: the trail may be long.
const Point* newest_visited_at(const AppState& state, const Parameters& wanted) {
  const auto& trail = state.choice.trail;
  const auto known =
      state.known.recordings.known_at(state.choice.gpu, state.choice.kernel, state.choice.caches, wanted);
  if (known.empty() && mode(state) != Mode::predicted) {
    return nullptr;
  }
  const auto newest = std::find_first_of(trail.rbegin(), trail.rend(), known.begin(), known.end());
  if (newest != trail.rend()) {
    return find_point(state, *newest);
  }
  for (const std::uint64_t id : trail | std::views::reverse) {  // an older launch of the place, or a prediction
    const Point* point = find_point(state, id);
    if (point && point->kernel == state.choice.kernel && point->gpu == state.choice.gpu &&
        point->caches == state.choice.caches && point->parameters == wanted &&
        !state.known.earlier.contains(point->id)) {
      return point;
    }
  }
  return nullptr;
}

// On a predicted GPU nothing is launched: a place that did not compile is found by its parameters alone.
const Point* failed_at(const AppState& state, const Parameters& place) {
  const auto known =
      state.known.recordings.known_at(state.choice.gpu, state.choice.kernel, state.choice.caches, place);
  const Point* newest = known.empty() ? nullptr : find_point(state, known.front());
  return newest && newest->failure ? newest : nullptr;
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

const Point* find_point(const AppState& state, std::uint64_t id) {
  const auto& predicted = state.known.predicted;
  if (id < first_predicted) {
    return state.known.session.log->point(id);
  }
  return id - first_predicted < predicted.size() ? &predicted[static_cast<std::size_t>(id - first_predicted)]
                                                 : nullptr;
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

const Point* current_point(const AppState& state) {
  const Parameters wanted = dialled(state);
  if (const Point* selected = selected_point(state, wanted)) {
    return selected;
  }
  const bool predicted = mode(state) == Mode::predicted;
  if (const Point* failed = predicted ? failed_at(state, wanted) : nullptr) {
    return failed;
  }
  if (const Point* there = newest_visited_at(state, wanted); there || predicted) {
    return there;
  }
  for (const std::uint64_t id : state.choice.trail | std::views::reverse) {
    const Point* point = find_point(state, id);
    if (point && point->kernel == state.choice.kernel && point->gpu == state.choice.gpu) {
      return point;
    }
  }
  return nullptr;
}

void tell(AppState& state, Message::Kind kind, std::string text) {
  state.view.message = Message{kind, std::move(text), state.now};
}

Presentation::Frozen what_freezes(const AppState& state) {
  return {state.choice.kernel, state.choice.gpu, state.view.drawer, state.view.presentation->hides};
}

bool is_frozen(const AppState& state) {
  const auto& presentation = state.view.presentation;
  return presentation && presentation->frozen && *presentation->frozen == what_freezes(state);
}

int seconds_presented(const AppState& state, double now) {
  return state.view.presentation ? static_cast<int>(now - state.view.presentation->began) : 0;
}

std::size_t steps_shown(const AppState& state) {
  const Shown& shown = state.derived.shown;
  return is_open(state.view, Panel::banks)     ? shown.banks.steps
         : is_open(state.view, Panel::sectors) ? shown.sectors.steps
         : is_open(state.view, Panel::tile)    ? shown.tile.steps
                                               : 0;
}

bool pass_time(AppState& state, double now) {
  const bool timer_moved =
      state.view.presentation && seconds_presented(state, state.now) != seconds_presented(state, now);
  state.now = now;
  const bool motion_over = state.view.motion && now - state.view.motion->started > motion_seconds;
  const bool message_over = state.view.message && now - state.view.message->since > message_seconds;
  if (motion_over) {
    state.view.motion.reset();
  }
  if (message_over) {
    state.view.message.reset();
  }
  return motion_over || message_over || timer_moved;
}

}  // namespace rooftile::scene
