#include "app/scene/map/best_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "analysis/advice/recorded_space.hpp"
#include "analysis/manifest/differing.hpp"
#include "analysis/text/format.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/chart/kernel_code.hpp"
#include "app/scene/map/sweep_plan.hpp"
#include "app/scene/program/program_kernels.hpp"
#include "app/scene/state/app_state.hpp"
#include "app/scene/state/wording.hpp"

namespace rooftile::scene {
namespace {

struct SearchDials {
  std::set<std::string> moved;
  std::set<std::string> held;  // with one value in all places, though they have several
};

SearchDials dials_of(const Manifest& manifest, const std::vector<SearchPlace>& places) {
  SearchDials dials;
  for (const Parameter& parameter : manifest.parameters) {
    const auto moves = [&](const SearchPlace& place) {
      return place.values.at(parameter.name) != places.front().values.at(parameter.name);
    };
    if (std::ranges::any_of(places, moves)) {
      dials.moved.insert(parameter.name);
    } else if (!parameter.is_of_problem() && parameter.values.size() > 1) {
      dials.held.insert(parameter.name);
    }
  }
  return dials;
}

// Where the search held the dials that matter, a launch outside of it may be faster.
std::string faster_elsewhere(const AppState& state, const BestSearch& wanted, const Try& best) {
  const Manifest& manifest = find_kernel(state.known.catalogue, wanted.kernel);
  const Parameters& place = wanted.search.places()[best.place].values;
  const auto fastest =
      state.known.recordings.fastest(wanted.gpu, wanted.kernel, wanted.caches, problem_of(manifest, place));
  const Point* point = fastest ? state.known.session.log->point(*fastest) : nullptr;
  return point && point->timing->median < best.timing->median && point->parameters != place
             ? fmt::format(" A launch outside of the search is faster: {} with {}.",
                           text(point->timing->median),
                           dials_text(manifest, point->parameters, differing(place, point->parameters)))
             : "";
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
    places.push_back(search_place(kernel(state), launch.parameters, *device, roofs, state.choice.caches,
                                  models_known(state)));
  }
  const SearchLimits limits = usual_limits(places.size());
  return BestSearch{Search(std::move(places), limits), state.choice.kernel, state.choice.gpu,
                    state.choice.caches};
}

std::string search_result(const AppState& state, const BestSearch& wanted) {
  const Try* best = wanted.search.best();
  const std::string launches =
      fmt::format("{} of {} places tried", wanted.search.tries().size(), wanted.search.places().size());
  if (!best) {
    return launches + ", none succeeded.";
  }
  const Manifest& manifest = find_kernel(state.known.catalogue, wanted.kernel);
  const SearchDials dials = dials_of(manifest, wanted.search.places());
  const Parameters& place = wanted.search.places()[best->place].values;
  const std::string held = dials.held.empty() ? "" : " Held: " + dials_text(manifest, place, dials.held) + ".";
  return fmt::format("Best {}: {}; {}.{}{}", text(best->timing->median),
                     dials_text(manifest, place, dials.moved), launches, held,
                     wanted.goes_on() ? "" : faster_elsewhere(state, wanted, *best));
}

std::string ending(const BestSearch& wanted) {
  return wanted.stopped ? *wanted.stopped : sentence(*wanted.search.end(), wanted.search.limits());
}

const Point* launch_tried(const AppState& state, const BestSearch& wanted, std::size_t place) {
  const auto id = state.known.recordings.find(wanted.gpu, wanted.kernel, wanted.caches,
                                              wanted.search.places()[place].values);
  return id ? state.known.session.log->point(*id) : nullptr;
}

std::vector<std::string> search_news(const AppState& state) {
  if (!state.known.search) {
    return {};
  }
  const BestSearch& wanted = *state.known.search;
  const Manifest& manifest = find_kernel(state.known.catalogue, wanted.kernel);
  const SearchDials dials = dials_of(manifest, wanted.search.places());
  std::vector<std::string> lines = {search_result(state, wanted)};
  if (!wanted.goes_on()) {
    lines.push_back(ending(wanted));
  }
  for (const Try& each : wanted.search.tries()) {
    const SearchPlace& place = wanted.search.places()[each.place];
    const Point* launch = launch_tried(state, wanted, each.place);
    const char* without_time = launch && launch->wrong() ? "wrong" : "failed";
    lines.push_back(fmt::format("{:>2}  {:>8}  predicted {:>8}  {}", lines.size() - (wanted.goes_on() ? 0 : 1),
                                each.timing ? text(each.timing->median) : without_time,
                                text_or_dash(place.predicted),
                                dials_text(manifest, place.values, dials.moved)));
  }
  return lines;
}

}  // namespace rooftile::scene
