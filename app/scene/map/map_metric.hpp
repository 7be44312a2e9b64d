// The figure of each launch that a map shows in colour.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/scene/state/shown/landscape.hpp"

namespace rooftile::scene {

std::span<const MapMetric> map_metrics();  // in the order of a menu
std::string_view title(MapMetric metric);  // "time"
bool less_is_better(MapMetric metric);
bool is_of_time(MapMetric metric);  // a time, or a rate

// A figure in the unit of the map is `factor` times the figure in its base unit.
struct MapUnit {
  double factor = 1;
  std::string name;  // may be empty
};
// largest: of the map's figures, in the base unit.
MapUnit unit_of(MapMetric metric, double largest, bool has_flops);

// In the base unit (s, FLOP/s or B/s, B, shares as 0..1). Empty where it is not known, and for against_model:
// the model is asked for each place.
std::optional<double> figure_of(MapMetric metric, const Point& point, const std::optional<Placement>& placement,
                                const Gpu* gpu);
// Three digits without a unit: it stands at the scale.
std::string short_figure(double value);

}  // namespace rooftile::scene
