#include "app/scene/map/best_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/advice/recorded_space.hpp"
#include "analysis/text/format.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/map/sweep_plan.hpp"
#include "app/scene/program/program_kernels.hpp"
#include "app/scene/state/app_state.hpp"
#include "app/scene/state/wording.hpp"

namespace rooftile::scene {
namespace {

std::string place_text(const AppState& state, const BestSearch& wanted, std::size_t place) {
  const Manifest& manifest = find_kernel(state.known.catalogue, wanted.kernel);
  return dials_text(manifest, wanted.search.places()[place].values, dial_names(manifest));
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

std::string search_result(const AppState& state, const BestSearch& wanted) {
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

std::vector<std::string> search_news(const AppState& state) {
  if (!state.known.search) {
    return {};
  }
  const BestSearch& wanted = *state.known.search;
  std::vector<std::string> lines = {search_result(state, wanted)};
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
