#include "analysis/advice/downhill.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include "analysis/manifest/neighbours.hpp"

namespace rooftile {
namespace {

double promised(const SearchPlace& place) {
  return place.predicted ? place.predicted->value : std::numeric_limits<double>::infinity();
}

}  // namespace

std::vector<SearchPlace> downhill_places(const Manifest& kernel, const Parameters& start,
                                         const std::set<std::string>& held, std::size_t most,
                                         const PredictPlaces& predict) {
  const auto moves_what_is_held = [&](const Parameters& place) {
    return std::ranges::any_of(held, [&](const std::string& dial) { return place.at(dial) != start.at(dial); });
  };
  std::vector<SearchPlace> places = predict({start});
  std::set<Parameters> known = {start};
  for (std::size_t here = 0;;) {
    std::vector<Parameters> moves = dial_moves(kernel, places[here].values);
    std::erase_if(
        moves, [&](const Parameters& move) { return moves_what_is_held(move) || !known.insert(move).second; });
    moves.resize(std::min(moves.size(), most - places.size()));
    std::ranges::move(predict(moves), std::back_inserter(places));
    const auto least =
        static_cast<std::size_t>(std::ranges::min_element(places, {}, promised) - places.begin());
    if (least == here || places.size() == most) {
      return places;
    }
    here = least;
  }
}

}  // namespace rooftile
