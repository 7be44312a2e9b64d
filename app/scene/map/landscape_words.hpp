// Words about the map and its cells.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/manifest/manifest.hpp"
#include "app/scene/state/shown/landscape.hpp"

namespace rooftile::scene {

// "Best 1.93 ms: tile 32; 5 others within noise. 36 of 40 legal places measured."
std::string map_summary(const Manifest& manifest, const Landscape& map);
// A launch, or a prediction: its dials, its time and its rate.
std::vector<std::string> cell_facts(const Manifest& manifest, const Point& point,
                                    const std::optional<Placement>& placement);

// Likewise of a predicted cell whose time was corrected by a factor, as the model errs at a launch near to it.
std::vector<std::string> correction_facts(const Manifest& manifest, const MapCell& cell,
                                          const std::string& by_model, const Parameters& nearest,
                                          double factor);

}  // namespace rooftile::scene
