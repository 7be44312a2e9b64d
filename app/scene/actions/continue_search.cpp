#include "app/scene/actions/continue_search.hpp"

#include "app/scene/actions/visits.hpp"
#include "app/scene/map/best_search.hpp"

namespace rooftile::scene {
namespace {

std::optional<std::uint64_t> known_launch(const AppState& state, const BestSearch& wanted, std::size_t place) {
  return state.known.recordings.find(wanted.gpu, wanted.kernel, wanted.caches,
                                     wanted.search.places()[place].values);
}

bool is_live(const AppState& state, const BestSearch& wanted) {
  return state.known.session.device == wanted.gpu;
}

// True once the launch that was waited for has been answered, or never will be.
bool take_answer(AppState& state, BestSearch& wanted) {
  const Point* point = state.known.session.log->point(*wanted.waits_for);
  if (point && (point->final || point->failure)) {
    wanted.waits_for.reset();
    wanted.search.take(point->competes() ? point->timing : std::nullopt);
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
  const auto launch = best ? known_launch(state, wanted, best->place) : std::nullopt;
  const Point* point = launch ? state.known.session.log->point(*launch) : nullptr;
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
    if (const auto known = known_launch(state, wanted, place)) {
      wanted.search.take(state.known.session.log->point(*known)->timing);
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
