#include "analysis/manifest/neighbours.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "analysis/manifest/differing.hpp"

namespace rooftile {
namespace {

std::ptrdiff_t position(const Parameter& dial, double value) {
  return std::ranges::lower_bound(dial.values, value) - dial.values.begin();
}

struct Neighbour {
  std::ptrdiff_t distance;  // in places of the sliders
  Configuration configuration;
  std::size_t next = 0;  // the first parameter that may move further
};

Neighbour itself(const Manifest& manifest, const Configuration& present) {
  Neighbour here{0, present};
  here.configuration.parameters = complete(manifest, present.parameters);
  return here;
}

// One more parameter that is compiled has another value. They may be illegal: a second move can mend that.
std::vector<Neighbour> one_further(const Manifest& manifest, const Neighbour& from) {
  std::vector<Neighbour> found;
  for (std::size_t i = from.next; i < manifest.parameters.size(); ++i) {
    const Parameter& dial = manifest.parameters[i];
    const double here = from.configuration.parameters.at(dial.name);
    for (const double value : dial.values) {
      if (dial.is_compiled() && value != here) {
        const auto steps = std::abs(position(dial, value) - position(dial, here));
        Neighbour& moved = found.emplace_back(from.distance + steps, from.configuration, i + 1);
        moved.configuration.parameters[dial.name] = value;
      }
    }
  }
  return found;
}

std::vector<Configuration> legal_nearest_first(const Manifest& manifest, std::vector<Neighbour> found) {
  std::ranges::stable_sort(found, {}, &Neighbour::distance);
  std::vector<Configuration> configurations;
  for (Neighbour& neighbour : found) {
    if (!why_illegal(manifest, neighbour.configuration.parameters)) {
      configurations.push_back(std::move(neighbour.configuration));
    }
  }
  return configurations;
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
  return legal_nearest_first(manifest, one_further(manifest, itself(manifest, present)));
}

std::vector<Configuration> two_dials_away(const Manifest& manifest, const Configuration& present) {
  std::vector<Neighbour> found;
  for (const Neighbour& one : one_further(manifest, itself(manifest, present))) {
    std::ranges::move(one_further(manifest, one), std::back_inserter(found));
  }
  return legal_nearest_first(manifest, std::move(found));
}

}  // namespace rooftile
