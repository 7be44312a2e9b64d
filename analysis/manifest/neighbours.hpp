// Places that a user can move to next.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/manifest/configuration.hpp"
#include "analysis/manifest/manifest.hpp"

namespace rooftile {

// The legal configurations that differ from this one in one parameter that is compiled, the nearest values
// first. The other parameters stay: one cubin serves all their values. A session compiles these ahead.
std::vector<Configuration> neighbours(const Manifest& manifest, const Configuration& present);
// Likewise those that differ in two such parameters.
std::vector<Configuration> two_dials_away(const Manifest& manifest, const Configuration& present);

// The legal places that do the same work: with any other value of one dial, or with two dials one value up or
// down each. Dials that follow another one move with it. place: complete, as are the results.
std::vector<Parameters> dial_moves(const Manifest& manifest, const Parameters& place);
// The dials in which two places differ, in the manifest's order.
std::vector<std::string> moved_dials(const Manifest& manifest, const Parameters& a, const Parameters& b);
// How many values the dials move by, all together.
std::ptrdiff_t steps_between(const Manifest& manifest, const Parameters& a, const Parameters& b);

}  // namespace rooftile
