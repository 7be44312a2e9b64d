// What a search of few launches chooses among, in a space too large to predict everywhere.
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

// The places on the way from the start, which is complete, to where no move of the dials (see dial_moves)
// promises less time, each with its moves; at most so many, the first of which is the start. held: dials that
// do not move.
std::vector<SearchPlace> downhill_places(const Manifest& kernel, const Parameters& start,
                                         const std::set<std::string>& held, std::size_t most,
                                         const PredictPlaces& predict);

}  // namespace rooftile
