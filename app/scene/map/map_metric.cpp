#include "app/scene/map/map_metric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "analysis/chip/occupancy.hpp"
#include "analysis/text/format.hpp"
#include "app/scene/chart/chart_rows.hpp"

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

std::optional<double> share_of(const std::optional<Placement>& placement, MemoryLevel level) {
  const LevelUse* use = placement ? placement->level(level) : nullptr;
  return use ? use->share : std::nullopt;
}

std::optional<double> occupancy_ratio(const Point& point, const Gpu* gpu) {
  const auto occupancy = gpu ? occupancy_of(point, gpu->sm) : std::nullopt;
  return occupancy ? std::optional(occupancy->ratio()) : std::nullopt;
}

// The kind of a figure, which decides its unit.
enum class MapQuantity { time, rate, share, bytes, number, ratio };

struct MetricRow {
  MapMetric metric;
  std::string_view title;
  MapQuantity quantity;
  bool less_is_better;
};

constexpr MetricRow metric_rows[] = {
    {MapMetric::time, "time", MapQuantity::time, true},
    {MapMetric::rate, "rate", MapQuantity::rate, false},
    {MapMetric::nearest_share, "share of the nearest roof", MapQuantity::share, false},
    {MapMetric::dram_share, "share of the DRAM roof", MapQuantity::share, false},
    {MapMetric::l2_share, "share of the L2 roof", MapQuantity::share, false},
    {MapMetric::shared_share, "share of the shared memory roof", MapQuantity::share, false},
    {MapMetric::occupancy, "theoretical occupancy", MapQuantity::share, false},
    {MapMetric::achieved, "achieved occupancy", MapQuantity::share, false},
    {MapMetric::registers, "registers", MapQuantity::number, true},
    {MapMetric::conflicts, "bank conflicts per ideal wavefront", MapQuantity::number, true},
    {MapMetric::dram_bytes, "bytes at DRAM", MapQuantity::bytes, true},
    {MapMetric::l2_bytes, "bytes at L2", MapQuantity::bytes, true},
    {MapMetric::l1_bytes, "bytes at L1", MapQuantity::bytes, true},
    {MapMetric::l2_hits, "hit rate of L2", MapQuantity::share, false},
    {MapMetric::l1_hits, "hit rate of L1", MapQuantity::share, false},
    {MapMetric::against_model, "measured / predicted", MapQuantity::ratio, true}};

const MetricRow& row_of(MapMetric metric) {
  return *std::ranges::find(metric_rows, metric, &MetricRow::metric);
}

}  // namespace

std::span<const MapMetric> map_metrics() {
  static const std::vector<MapMetric> all = [] {
    std::vector<MapMetric> metrics;
    std::ranges::transform(metric_rows, std::back_inserter(metrics), &MetricRow::metric);
    return metrics;
  }();
  return all;
}

std::string_view title(MapMetric metric) {
  return row_of(metric).title;
}

bool less_is_better(MapMetric metric) {
  return row_of(metric).less_is_better;
}

bool is_of_time(MapMetric metric) {
  return metric == MapMetric::time || metric == MapMetric::rate;
}

MapUnit unit_of(MapMetric metric, double largest, bool has_flops) {
  constexpr double milli = 1e-3, giga = 1e9;
  switch (row_of(metric).quantity) {
    case MapQuantity::time:
      return largest < milli ? MapUnit{1e6, "\u00b5s"} : MapUnit{1e3, "ms"};
    case MapQuantity::rate:
      return has_flops ? MapUnit{1e-12, "TFLOP/s"} : MapUnit{1e-9, "GB/s of DRAM"};
    case MapQuantity::share:
      return {100, "%"};
    case MapQuantity::bytes:
      return largest < giga ? MapUnit{1e-6, "MB"} : MapUnit{1e-9, "GB"};
    case MapQuantity::ratio:
      return {1, "x"};
    case MapQuantity::number:
      break;
  }
  return {};
}

std::optional<double> figure_of(MapMetric metric, const Point& point, const std::optional<Placement>& placement,
                                const Gpu* gpu) {
  const auto& counters = point.counters;
  switch (metric) {
    case MapMetric::time:
      return placement ? std::optional(placement->time.value) : std::nullopt;
    case MapMetric::rate:
      return placement ? rate_of(*placement) : std::nullopt;
    case MapMetric::nearest_share:
      return placement ? placement->largest_share() : std::nullopt;
    case MapMetric::dram_share:
      return share_of(placement, MemoryLevel::dram);
    case MapMetric::l2_share:
      return share_of(placement, MemoryLevel::l2);
    case MapMetric::shared_share:
      return share_of(placement, MemoryLevel::shared);
    case MapMetric::occupancy:
      return occupancy_ratio(point, gpu);
    case MapMetric::achieved:
      return counters ? counters->achieved_occupancy : std::nullopt;
    case MapMetric::registers:
      return point.compiled ? std::optional<double>(point.compiled->registers) : std::nullopt;
    case MapMetric::conflicts:
      return counters ? conflicts_of(*counters) : std::nullopt;
    case MapMetric::dram_bytes:
      return bytes_of(point, MemoryLevel::dram);
    case MapMetric::l2_bytes:
      return bytes_of(point, MemoryLevel::l2);
    case MapMetric::l1_bytes:
      return bytes_of(point, MemoryLevel::l1);
    case MapMetric::l2_hits:
      return counters ? counters->l2_hit_rate() : std::nullopt;
    case MapMetric::l1_hits:
      return counters ? counters->l1_hit_rate() : std::nullopt;
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
