#include "analysis/manifest/neighbours.hpp"

#include <algorithm>
#include <cstdlib>

#include "analysis/manifest/differing.hpp"

namespace rooftile {
namespace {

std::ptrdiff_t position(const Parameter& dial, double value) {
  return std::ranges::lower_bound(dial.values, value) - dial.values.begin();
}

struct Neighbour {
  std::ptrdiff_t distance;  // in places of the slider
  Configuration configuration;
};

void add_neighbours(std::vector<Neighbour>& found, const Manifest& manifest, const Configuration& present,
                    const Parameter& dial) {
  const double here = present.parameters.at(dial.name);
  for (const double value : dial.values) {
    Configuration moved = present;
    moved.parameters[dial.name] = value;
    if (value != here && !why_illegal(manifest, moved.parameters)) {
      found.push_back({std::abs(position(dial, value) - position(dial, here)), std::move(moved)});
    }
  }
}

class DialMoves {
 public:
  DialMoves(const Manifest& manifest, const Parameters& place)
      : manifest_(manifest), given_(given_of(manifest, place)), place_(place) {
    for (const Parameter& parameter : manifest.parameters) {
      if (!parameter.is_of_problem()) {
        dials_.push_back(&parameter);
      }
    }
  }

  std::vector<Parameters> all() {
    for (auto dial = dials_.begin(); dial != dials_.end(); ++dial) {
      for (const double value : (*dial)->values) {
        add({{(*dial)->name, value}});
      }
      for (auto other = dials_.begin(); other != dial; ++other) {
        add_steps(**other, **dial);
      }
    }
    return std::move(places_);
  }

 private:
  void add_steps(const Parameter& one, const Parameter& other) {
    for (const double a : values_beside(one)) {
      for (const double b : values_beside(other)) {
        add({{one.name, a}, {other.name, b}});
      }
    }
  }

  std::vector<double> values_beside(const Parameter& dial) const {
    const auto [below, above] = std::ranges::equal_range(dial.values, place_.at(dial.name));
    std::vector<double> beside;
    if (below != dial.values.begin()) {
      beside.push_back(below[-1]);
    }
    if (above != dial.values.end()) {
      beside.push_back(*above);
    }
    return beside;
  }

  void add(const Parameters& moved) {
    Parameters given = given_;
    for (const auto& [dial, value] : moved) {
      given[dial] = value;
    }
    const Parameters place = complete(manifest_, given);
    if (place != place_ && !why_illegal(manifest_, place)) {
      places_.push_back(place);
    }
  }

  const Manifest& manifest_;
  const Parameters given_;
  const Parameters& place_;
  std::vector<const Parameter*> dials_;
  std::vector<Parameters> places_;
};

}  // namespace

std::vector<Parameters> dial_moves(const Manifest& manifest, const Parameters& place) {
  return DialMoves(manifest, place).all();
}

std::vector<std::string> moved_dials(const Manifest& manifest, const Parameters& a, const Parameters& b) {
  const std::set<std::string> names = differing(a, b);
  std::vector<std::string> moved;
  for (const Parameter& parameter : manifest.parameters) {
    if (!parameter.is_of_problem() && names.contains(parameter.name)) {
      moved.push_back(parameter.name);
    }
  }
  return moved;
}

std::ptrdiff_t steps_between(const Manifest& manifest, const Parameters& a, const Parameters& b) {
  std::ptrdiff_t steps = 0;
  for (const std::string& name : moved_dials(manifest, a, b)) {
    const Parameter& dial = *manifest.parameter(name);
    steps += std::abs(position(dial, a.at(name)) - position(dial, b.at(name)));
  }
  return steps;
}

std::vector<Configuration> neighbours(const Manifest& manifest, const Configuration& present) {
  Configuration whole = present;
  whole.parameters = complete(manifest, present.parameters);
  std::vector<Neighbour> found;
  for (const Parameter& parameter : manifest.parameters) {
    if (parameter.is_compiled()) {
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
