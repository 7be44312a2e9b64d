#include "app/cli/bench/speed/speed_benchmark.hpp"

#include <limits>

#include "app/cli/shared/live/live_search.hpp"
#include "app/cli/tables/dial_positions.hpp"

namespace rooftile::cli {
namespace {

// The kernel has these of the parameters.
Parameters known_to(const Manifest& kernel, Parameters parameters) {
  std::erase_if(parameters, [&](const auto& value) { return !kernel.parameter(value.first); });
  return parameters;
}

}  // namespace

SpeedBenchmark::SpeedBenchmark(const Options& options, std::size_t places, std::size_t launches)
    : options_(options),
      catalogue_(catalogue(options)),
      session_(start(options)),
      places_(places),
      launches_(launches) {
  wait_until_started(session_);
  expect_device(session_);
}

std::optional<Configuration> SpeedBenchmark::found(const std::string& kernel, const Parameters& size) {
  const Manifest* manifest = known_kernel(catalogue_, kernel);
  if (!manifest || dial_positions(*manifest, known_to(*manifest, size), 1).empty()) {
    return std::nullopt;
  }
  const Search search = LiveSearch(options_, session_, *manifest, Caches::cold)
                            .downhill(known_to(*manifest, size), places_,
                                      [&](std::size_t) { return SearchLimits{.launches = launches_}; });
  const Try* best = search.best();
  return best ? std::optional(Configuration{kernel, search.places()[best->place].values, Caches::cold})
              : std::nullopt;
}

std::optional<Point> SpeedBenchmark::timed(std::optional<Configuration> place, Caches caches) {
  if (!place) {
    return std::nullopt;
  }
  place->caches = caches;
  Point point = ask(session_, *place);
  return point.timing && !point.failure ? std::optional(std::move(point)) : std::nullopt;
}

std::optional<Configuration> SpeedBenchmark::fastest(const std::vector<std::string>& kernels,
                                                     const Parameters& size) {
  std::optional<Configuration> fastest;
  Seconds least{std::numeric_limits<double>::infinity()};
  for (const std::string& kernel : kernels) {
    const std::optional<Configuration> place = found(kernel, size);
    const std::optional<Point> point = timed(place, Caches::cold);
    if (point && point->timing->median < least) {
      least = point->timing->median;
      fastest = place;
    }
  }
  return fastest;
}

Parameters SpeedBenchmark::dials(const Point& point) const {
  const Manifest& kernel = *known_kernel(catalogue_, point.kernel);
  Parameters dials = point.parameters;
  std::erase_if(dials,
                [&](const auto& value) { return kernel.parameter(value.first)->role != ParameterRole::dial; });
  return dials;
}

SpeedRow SpeedBenchmark::row(const Contest& contest, const Parameters& size) {
  const auto ours = fastest(contest.contenders, size), theirs = found(contest.rival, size);
  const auto duel = [&](Caches caches) { return Duel{timed(theirs, caches), timed(ours, caches)}; };
  SpeedRow row{contest.title, contest.rival, size, duel(Caches::cold), duel(Caches::warm), {}};
  row.dials = row.cold.best ? dials(*row.cold.best) : Parameters{};
  return row;
}

std::optional<BytesPerSecond> SpeedBenchmark::dram_peak() const {
  const Roofs* roofs = session_.log().roofs_of(session_.device()->name);
  for (const Origin origin : {Origin::spec, Origin::datasheet}) {
    if (const MemoryRoof* peak = roofs != nullptr ? roofs->find(MemoryLevel::dram, origin) : nullptr) {
      return peak->bandwidth;
    }
  }
  return {};
}

}  // namespace rooftile::cli
