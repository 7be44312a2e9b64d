#include "analysis/advice/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "analysis/advice/noise.hpp"

namespace rooftile {
namespace {

constexpr std::size_t fewest_launches = 10, share_of_places = 10;
constexpr double boldness = 0.5;  // 0.3 to 0.7 find as good places

// The place of each value among those that occur, from 0 to 1, of each dial that is moved.
std::vector<std::vector<double>> positions_of(const std::vector<SearchPlace>& places) {
  std::map<std::string, std::set<double>> values;
  for (const SearchPlace& place : places) {
    for (const auto& [name, value] : place.values) {
      values[name].insert(value);
    }
  }
  std::vector<std::vector<double>> positions;
  for (const SearchPlace& place : places) {
    std::vector<double>& own = positions.emplace_back();
    for (const auto& [name, value] : place.values) {
      const auto& all = values[name];
      const auto steps = static_cast<double>(all.size() - 1);
      if (all.size() > 1) {
        own.push_back(static_cast<double>(std::distance(all.begin(), all.find(value))) / steps);
      }
    }
  }
  return positions;
}

// [s] of each place. Places without a prediction that can be right have the longest of all, so that they come
// last; times measured near them bring them forward.
std::vector<double> predictions_of(const std::vector<SearchPlace>& places) {
  std::vector<double> predictions;
  for (const SearchPlace& place : places) {
    const double time = place.predicted.value_or(Seconds{}).value;
    predictions.push_back(time > 0 && std::isfinite(time) ? time : 0);
  }
  const double longest = predictions.empty() ? 0 : std::ranges::max(predictions);
  std::ranges::replace(predictions, 0.0, longest > 0 ? longest : 1);
  return predictions;
}

}  // namespace

SearchLimits usual_limits(std::size_t places) {
  return {.launches = std::max(fewest_launches, places / share_of_places)};
}

std::string sentence(Search::End end, const SearchLimits& limits) {
  switch (end) {
    case Search::End::tried_all:
      return "Every place was tried.";
    case Search::End::launches_used:
      return fmt::format("It ended at its limit of {} launches.", limits.launches);
    case Search::End::within_noise:
      break;
  }
  return fmt::format("The last {} launches were not faster by more than the noise.", limits.patience);
}

Search::Search(std::vector<SearchPlace> places, SearchLimits limits)
    : places_(std::move(places)),
      limits_(limits),
      predicted_(predictions_of(places_)),
      positions_(positions_of(places_)),
      errors_(positions_),
      tried_(places_.size(), false) {
  end_ = why_over();
  next_ = end_ ? std::nullopt : std::optional(choose());
}

void Search::take(const std::optional<Timing>& timing) {
  const Try* before = best();
  const bool better = timing && (!before || !within_noise(*before->timing, *timing));
  const bool fastest = timing && (!before || timing->median < before->timing->median);
  if (timing && timing->median.value > 0) {
    errors_.learn(*next_, std::log(timing->median.value / predicted_[*next_]));
  }
  tried_[*next_] = true;
  tries_.push_back({*next_, timing, better});
  fastest_ = fastest ? tries_.size() - 1 : fastest_;
  end_ = why_over();
  next_ = end_ ? std::nullopt : std::optional(choose());
}

const Try* Search::best() const {
  return tries_.empty() || !tries_[fastest_].timing ? nullptr : &tries_[fastest_];
}

std::optional<Search::End> Search::why_over() const {
  if (tries_.size() == places_.size()) {
    return End::tried_all;
  }
  if (tries_.size() >= limits_.launches) {
    return End::launches_used;
  }
  const auto in_vain =
      std::find_if(tries_.rbegin(), tries_.rend(), [](const Try& each) { return each.better; });
  const auto since = static_cast<std::size_t>(in_vain - tries_.rbegin());
  return best() && since >= limits_.patience ? std::optional(End::within_noise) : std::nullopt;
}

// Every other launch stays beside the best.
std::size_t Search::choose() const {
  const auto usual = std::ranges::find(places_, true, &SearchPlace::at_defaults);
  if (const auto place = static_cast<std::size_t>(usual - places_.begin());
      tries_.size() == 1 && usual != places_.end() && !tried_[place]) {
    return place;
  }
  const Try* centre = best();
  const bool descends = centre && tries_.size() % 2 == 1;
  const auto is_beside = [&](std::size_t place) { return dials_apart(place, centre->place) == 1; };
  std::optional<std::size_t> beside, anywhere;
  double least_beside = std::numeric_limits<double>::infinity(), least = least_beside;  // logarithms
  for (std::size_t place = 0; place < places_.size(); ++place) {
    if (tried_[place]) {
      continue;
    }
    const double time = hoped_for(place);
    if (time < least) {
      least = time;
      anywhere = place;
    }
    if (descends && time < least_beside && is_beside(place)) {
      least_beside = time;
      beside = place;
    }
  }
  return beside ? *beside : *anywhere;
}

double Search::hoped_for(std::size_t place) const {
  const Kriging::Estimate error = errors_.at(place);
  return std::log(predicted_[place]) + error.mean - boldness * error.deviation;
}

int Search::dials_apart(std::size_t a, std::size_t b) const {
  int apart = 0;
  for (std::size_t i = 0; i < positions_[a].size(); ++i) {
    apart += positions_[a][i] != positions_[b][i] ? 1 : 0;
  }
  return apart;
}

}  // namespace rooftile
