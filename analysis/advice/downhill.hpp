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

// The starts, which are different and complete, and the places on the way from the one that promises the least
// time to where no move of the dials (see dial_moves) promises less, each with its moves, as those at the
// defaults have, which a search launches whatever they promise; at most so many. held: dials that do not move.
std::vector<SearchPlace> downhill_places(const Manifest& kernel, const std::vector<Parameters>& starts,
                                         const std::set<std::string>& held, std::size_t most,
                                         const PredictPlaces& predict);

}  // namespace rooftile
