#include "app/scene/map_metric.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "analysis/format.hpp"
#include "analysis/occupancy.hpp"
#include "app/scene/chart_rows.hpp"

namespace rooftile::scene {
namespace {

// Wavefronts beyond the ideal for each ideal one.
std::optional<double> conflicts_of(const Counters& counters) {
  if (!counters.shared_wavefronts || !counters.shared_conflicts) {
    return {};
  }
  const double ideal = *counters.shared_wavefronts - *counters.shared_conflicts;
  return ideal > 0 ? std::optional(*counters.shared_conflicts / ideal) : std::nullopt;
}

std::optional<double> bytes_of(const Point& point, MemoryLevel level) {
  const auto bytes = point.counters ? point.counters->bytes(level) : std::nullopt;
  return bytes ? std::optional(bytes->value) : std::nullopt;
}

}  // namespace

std::string_view title(MapMetric metric) {
  constexpr std::array<std::string_view, map_metrics.size()> titles = {"time",
                                                                       "rate",
                                                                       "share of the nearest roof",
                                                                       "theoretical occupancy",
                                                                       "achieved occupancy",
                                                                       "registers",
                                                                       "conflicts",
                                                                       "bytes at DRAM",
                                                                       "bytes at L2",
                                                                       "measured / predicted"};
  return titles[static_cast<std::size_t>(metric)];
}

bool less_is_better(MapMetric metric) {
  return metric == MapMetric::time || metric == MapMetric::registers || metric == MapMetric::conflicts ||
         metric == MapMetric::dram || metric == MapMetric::l2 || metric == MapMetric::against_model;
}

MapUnit unit_of(MapMetric metric, double largest, bool has_flops) {
  constexpr double milli = 1e-3, giga = 1e9;
  switch (metric) {
    case MapMetric::time:
      return largest < milli ? MapUnit{1e6, "\u00b5s"} : MapUnit{1e3, "ms"};
    case MapMetric::rate:
      return has_flops ? MapUnit{1e-12, "TFLOP/s"} : MapUnit{1e-9, "GB/s of DRAM"};
    case MapMetric::share:
    case MapMetric::occupancy:
    case MapMetric::achieved:
      return {100, "%"};
    case MapMetric::dram:
    case MapMetric::l2:
      return largest < giga ? MapUnit{1e-6, "MB"} : MapUnit{1e-9, "GB"};
    case MapMetric::against_model:
      return {1, "x"};
    case MapMetric::registers:
    case MapMetric::conflicts:
      break;
  }
  return {};
}

std::optional<double> figure_of(MapMetric metric, const Point& point, const std::optional<Placement>& placement,
                                const Gpu* gpu) {
  switch (metric) {
    case MapMetric::time:
      return placement ? std::optional(placement->time.value) : std::nullopt;
    case MapMetric::rate:
      return placement ? rate_of(*placement) : std::nullopt;
    case MapMetric::share:
      return placement ? placement->largest_share() : std::nullopt;
    case MapMetric::occupancy: {
      const auto occupancy = gpu ? occupancy_of(point, gpu->sm) : std::nullopt;
      return occupancy ? std::optional(occupancy->ratio()) : std::nullopt;
    }
    case MapMetric::achieved:
      return point.counters ? point.counters->achieved_occupancy : std::nullopt;
    case MapMetric::registers:
      return point.compiled ? std::optional<double>(point.compiled->registers) : std::nullopt;
    case MapMetric::conflicts:
      return point.counters ? conflicts_of(*point.counters) : std::nullopt;
    case MapMetric::dram:
      return bytes_of(point, MemoryLevel::dram);
    case MapMetric::l2:
      return bytes_of(point, MemoryLevel::l2);
    case MapMetric::against_model:
      break;  // the model is asked for each place
  }
  return {};
}

std::string short_figure(double value) {
  const double size = std::abs(value);
  return size >= 100 ? count(std::round(value)) : fmt::format("{:.{}f}", value, size >= 10 ? 1 : 2);
}

}  // namespace rooftile::scene
