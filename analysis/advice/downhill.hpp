// Chooses the places that a search tries, where a space is too large to predict all of it.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "analysis/advice/search.hpp"
#include "analysis/manifest/manifest.hpp"

namespace rooftile {

// These places with their predicted times, in the same order.
using PredictPlaces = std::function<std::vector<SearchPlace>(const std::vector<Parameters>&)>;

// At most so many places. The starts come first; they are different and complete. The moves of the defaults
// come next (see dial_moves), for a search launches the defaults whatever they promise. Then the way begins at
// the place that promises the least time. It ends where no move promises less, and each place on it adds its
// moves. held: dials that do not move.
std::vector<SearchPlace> downhill_places(const Manifest& kernel, const std::vector<Parameters>& starts,
                                         const std::set<std::string>& held, std::size_t most,
                                         const PredictPlaces& predict);

}  // namespace rooftile
