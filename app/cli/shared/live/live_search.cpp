#include "app/cli/shared/live/live_search.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "analysis/advice/downhill.hpp"
#include "analysis/advice/recorded_space.hpp"
#include "app/cli/tables/dial_positions.hpp"

namespace rooftile::cli {
namespace {

Roofs roofs_of(const Session& session) {
  const Gpu& gpu = *session.device();
  const Roofs* known = session.log().roofs_of(gpu.name);
  return known ? *known : datasheet_roofs(gpu);
}

// Constraints may forbid most moves from the defaults, so the search begins at other places too.
std::vector<Parameters> starts(const Manifest& kernel, const Parameters& given) {
  constexpr std::size_t sampled = 63;
  std::vector<Parameters> all;
  if (Parameters usual = complete(kernel, given); !why_illegal(kernel, usual)) {
    all.push_back(std::move(usual));
  }
  for (const Configuration& each : dial_positions(kernel, given, sampled)) {
    if (Parameters place = complete(kernel, each.parameters); std::ranges::find(all, place) == all.end()) {
      all.push_back(std::move(place));
    }
  }
  return all;
}

}  // namespace

LiveSearch::LiveSearch(const Options& options, Session& session, Manifest kernel, Caches caches)
    : session_(session),
      kernel_(std::move(kernel)),
      caches_(caches),
      gpu_(*session.device()),
      roofs_(roofs_of(session)),
      code_(options) {}

std::vector<SearchPlace> LiveSearch::predicted(const std::vector<Parameters>& places) {
  code_.prepare(kernel_, gpu_, places);
  std::vector<SearchPlace> predicted;
  for (const Parameters& values : places) {
    predicted.push_back(search_place(kernel_, values, gpu_, roofs_, caches_, code_.model_at()));
  }
  return predicted;
}

Search LiveSearch::launched(std::vector<SearchPlace> places, SearchLimits limits) {
  return find_best(std::move(places), limits, [&](const Parameters& values) {
    const Point point = ask(session_, {kernel_.name, values, caches_});
    return point.failure ? std::nullopt : point.timing;
  });
}

Search LiveSearch::among(const std::vector<Parameters>& places, SearchLimits limits) {
  return launched(predicted(places), limits);
}

Search LiveSearch::downhill(const Parameters& given, std::size_t most_places,
                            const std::function<SearchLimits(std::size_t places)>& limits) {
  std::set<std::string> held;
  std::ranges::transform(given, std::inserter(held, held.end()), &Parameters::value_type::first);
  std::vector<SearchPlace> places = downhill_places(kernel_, starts(kernel_, given), held, most_places,
                                                    [this](const auto& some) { return predicted(some); });
  const SearchLimits found = limits(places.size());
  return launched(std::move(places), found);
}

}  // namespace rooftile::cli
