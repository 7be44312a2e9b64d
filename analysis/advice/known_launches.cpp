#include "analysis/advice/known_launches.hpp"

#include <algorithm>

namespace rooftile {

std::vector<KnownLaunch> launches_of(const SessionLog& log, const Manifest& manifest, const std::string& gpu) {
  const auto has_parameter = [&](const auto& value) { return manifest.parameter(value.first) != nullptr; };
  std::vector<KnownLaunch> launches;
  for (const Point& point : log.points) {
    if (point.kernel == manifest.name && point.gpu == gpu &&
        std::ranges::all_of(point.parameters, has_parameter)) {
      launches.push_back({complete(manifest, point.parameters), &point});
    }
  }
  return launches;
}

KnownLaunches::KnownLaunches(const Manifest& manifest, const std::vector<KnownLaunch>& launches)
    : KnownLaunches(manifest) {
  for (const KnownLaunch& launch : launches) {
    add(launch);
  }
}

void KnownLaunches::add(const KnownLaunch& launch) {
  const Point& point = *launch.point;
  if (point.compiled) {
    compiled_[compiled_values_of(launch.place)] = *point.compiled;
  }
  if (point.competes() && point.timing->median >= shortest_launch) {
    timed_[{problem_of(manifest_, launch.place), point.caches}][launch.place] = &point;
  }
}

const Compiled* KnownLaunches::compiled(const Parameters& place) const {
  const auto found = compiled_.find(compiled_values_of(place));
  return found != compiled_.end() ? &found->second : nullptr;
}

const KnownLaunches::Timed& KnownLaunches::timed(const Parameters& place, Caches caches) const {
  static const Timed none;
  const auto found = timed_.find({problem_of(manifest_, place), caches});
  return found != timed_.end() ? found->second : none;
}

Parameters KnownLaunches::compiled_values_of(const Parameters& place) const {
  Parameters values;
  for (const Parameter& parameter : manifest_.parameters) {
    if (parameter.is_compiled()) {
      values.emplace(parameter.name, place.at(parameter.name));
    }
  }
  return values;
}

}  // namespace rooftile
