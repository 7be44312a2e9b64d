#include "app/scene/actions/continue_search.hpp"

#include "app/scene/actions/visits.hpp"
#include "app/scene/map/best_search.hpp"

namespace rooftile::scene {
namespace {

bool is_live(const AppState& state, const BestSearch& wanted) {
  return state.known.session.device == wanted.gpu;
}

std::optional<Timing> time_that_counts(const Point& point) {
  return point.competes() ? point.timing : std::nullopt;
}

// True once the launch that was waited for has been answered, or never will be.
bool take_answer(AppState& state, BestSearch& wanted) {
  const Point* point = state.known.session.log->point(*wanted.waits_for);
  if (point && (point->final || point->failure)) {
    wanted.waits_for.reset();
    wanted.search.take(time_that_counts(*point));
    return true;
  }
  if (!state.known.session.busy && !state.known.session.sweep_paused) {
    wanted.stopped = "The search ended early: the worker gave no answer.";
    return true;
  }
  return false;
}

void go_to_best(AppState& state, const BestSearch& wanted) {
  const Try* best = wanted.search.best();
  const Point* point = best ? launch_tried(state, wanted, best->place) : nullptr;
  if (point && state.choice.kernel == wanted.kernel && state.choice.gpu == wanted.gpu) {
    remember(state);
    select_launch(state, *point);
  }
}

}  // namespace

std::optional<Configuration> continue_search(AppState& state) {
  if (!state.known.search || state.known.search->told) {
    return std::nullopt;
  }
  BestSearch& wanted = *state.known.search;
  while (wanted.goes_on()) {
    if (wanted.waits_for) {
      if (!take_answer(state, wanted)) {
        return std::nullopt;
      }
      continue;
    }
    const std::size_t place = *wanted.search.next();
    if (const Point* known = launch_tried(state, wanted, place)) {
      wanted.search.take(time_that_counts(*known));
    } else if (is_live(state, wanted)) {
      return Configuration{wanted.kernel, wanted.search.places()[place].values, wanted.caches};
    } else {
      wanted.search.take(std::nullopt);
    }
  }
  wanted.told = true;
  go_to_best(state, wanted);
  tell(state, Message::Kind::done, search_result(state, wanted) + " " + ending(wanted));
  return std::nullopt;
}

}  // namespace rooftile::scene
