#include "app/scene/map/best_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/text/format.hpp"
#include "analysis/verdict/recorded_space.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/map/sweep_plan.hpp"
#include "app/scene/program/program_kernels.hpp"
#include "app/scene/state/app_state.hpp"
#include "app/scene/state/visits.hpp"
#include "app/scene/state/wording.hpp"

namespace rooftile::scene {
namespace {

std::string place_text(const AppState& state, const BestSearch& wanted, std::size_t place) {
  const Manifest& manifest = find_kernel(state.known.catalogue, wanted.kernel);
  return dials_text(manifest, wanted.search.places()[place].values, dial_names(manifest));
}

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
    wanted.search.take(point->failure ? std::nullopt : point->timing);
    return true;
  }
  if (!state.known.session.busy && !state.known.session.sweep_paused) {
    wanted.stopped = "The search ended early: the worker gave no answer.";
    return true;
  }
  return false;
}

std::string summary(const AppState& state, const BestSearch& wanted) {
  const Try* best = wanted.search.best();
  const std::string launches =
      fmt::format("{} of {} places tried", wanted.search.tries().size(), wanted.search.places().size());
  return best ? fmt::format("Best {}: {}; {}.", text(best->timing->median),
                            place_text(state, wanted, best->place), launches)
              : launches + ", none succeeded.";
}

std::string ending(const BestSearch& wanted) {
  return wanted.stopped ? *wanted.stopped : sentence(*wanted.search.end(), wanted.search.limits());
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

std::optional<BestSearch> begin_search(const AppState& state) {
  const Gpu* device = gpu(state);
  const std::vector<Configuration> launches = sweep_configurations(state);
  if (!device || launches.empty() || is_of_program(kernel(state))) {
    return std::nullopt;
  }
  const Roofs roofs = roofs_of(state);
  std::vector<SearchPlace> places;
  for (const Configuration& launch : launches) {
    places.push_back({launch.parameters,
                      predicted_time(kernel(state), launch.parameters, *device, roofs, state.choice.caches)});
  }
  const SearchLimits limits = usual_limits(places.size());
  return BestSearch{Search(std::move(places), limits), state.choice.kernel, state.choice.gpu,
                    state.choice.caches};
}

std::optional<Configuration> go_on_searching(AppState& state) {
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
  tell(state, Message::Kind::done, summary(state, wanted) + " " + ending(wanted));
  return std::nullopt;
}

std::vector<std::string> search_news(const AppState& state) {
  if (!state.known.search) {
    return {};
  }
  const BestSearch& wanted = *state.known.search;
  std::vector<std::string> lines = {summary(state, wanted)};
  if (!wanted.goes_on()) {
    lines.push_back(ending(wanted));
  }
  for (const Try& each : wanted.search.tries()) {
    const auto& predicted = wanted.search.places()[each.place].predicted;
    lines.push_back(fmt::format("{:>2}  {:>8}  predicted {:>8}  {}", lines.size() - (wanted.goes_on() ? 0 : 1),
                                each.timing ? text(each.timing->median) : "failed", text_or_dash(predicted),
                                place_text(state, wanted, each.place)));
  }
  return lines;
}

}  // namespace rooftile::scene
