#include "analysis/neighbours.hpp"

#include <algorithm>
#include <cstdlib>

namespace rooftile {
namespace {

struct Neighbour {
  std::ptrdiff_t distance;  // in places of the slider
  Configuration configuration;
};

void add_neighbours(std::vector<Neighbour>& found, const Manifest& manifest, const Configuration& present,
                    const Parameter& dial) {
  const double here = present.parameters.at(dial.name);
  const auto place_of = [&](double value) {
    return std::ranges::lower_bound(dial.values, value) - dial.values.begin();
  };
  for (const double value : dial.values) {
    Configuration moved = present;
    moved.parameters[dial.name] = value;
    if (value != here && !why_illegal(manifest, moved.parameters)) {
      found.push_back({std::abs(place_of(value) - place_of(here)), std::move(moved)});
    }
  }
}

}  // namespace

std::vector<Configuration> neighbours(const Manifest& manifest, const Configuration& present) {
  Configuration whole = present;
  whole.parameters = complete(manifest, present.parameters);
  std::vector<Neighbour> found;
  for (const Parameter& parameter : manifest.parameters) {
    if (parameter.is_macro()) {
      add_neighbours(found, manifest, whole, parameter);
    }
  }
  std::ranges::stable_sort(found, {}, &Neighbour::distance);
  std::vector<Configuration> configurations;
  for (Neighbour& neighbour : found) {
    configurations.push_back(std::move(neighbour.configuration));
  }
  return configurations;
}

}  // namespace rooftile
