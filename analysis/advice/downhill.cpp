#include "analysis/advice/downhill.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>

#include "analysis/manifest/neighbours.hpp"

namespace rooftile {
namespace {

double promised(const SearchPlace& place) {
  return place.predicted ? place.predicted->value : std::numeric_limits<double>::infinity();
}

}  // namespace

std::vector<SearchPlace> downhill_places(const Manifest& kernel, const std::vector<Parameters>& starts,
                                         const std::set<std::string>& held, std::size_t most,
                                         const PredictPlaces& predict) {
  std::vector<SearchPlace> places = predict({starts.begin(), starts.begin() + std::min(starts.size(), most)});
  std::set<Parameters> known(starts.begin(), starts.end());
  std::optional<std::size_t> here;
  const auto least = [&] {
    return static_cast<std::size_t>(std::ranges::min_element(places, {}, promised) - places.begin());
  };
  const auto add_moves = [&](const Parameters& from) {
    std::vector<Parameters> moves = dial_moves(kernel, from);
    std::erase_if(moves, [&](const Parameters& move) {
      return std::ranges::any_of(held,
                                 [&](const std::string& dial) { return move.at(dial) != from.at(dial); }) ||
             !known.insert(move).second;
    });
    moves.resize(std::min(moves.size(), most - places.size()));
    std::ranges::move(predict(moves), std::back_inserter(places));
  };
  if (const auto usual = std::ranges::find(places, true, &SearchPlace::at_defaults); usual != places.end()) {
    add_moves(Parameters(usual->values));
  }
  while (places.size() < most && here != least()) {
    here = least();
    add_moves(Parameters(places[*here].values));
  }
  return places;
}

}  // namespace rooftile
