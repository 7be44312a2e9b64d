// The search for the best of the places that the sweep's panel names. On a device it launches, in a recording
// it pretends to: either way one place after the other, and what is known already is not launched again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/advice/search.hpp"
#include "analysis/manifest/configuration.hpp"

namespace rooftile::scene {

struct AppState;

struct BestSearch {
  Search search;
  std::string kernel, gpu;
  Caches caches = Caches::cold;
  std::optional<std::uint64_t> waits_for = {};  // the launch under way
  std::optional<std::string> stopped = {};      // why it ended early, in a sentence
  bool told = false;                            // its end

  bool goes_on() const { return search.next() && !stopped; }
};

// Empty where there is no place to launch.
std::optional<BestSearch> begin_search(const AppState& state);

// The newest launch at one of its places; null: there is none.
const Point* launch_tried(const AppState& state, const BestSearch& search, std::size_t place);

// The best place so far, and of how many places it is the best, in a sentence.
std::string search_result(const AppState& state, const BestSearch& search);
// Why it ended, in a sentence.
std::string ending(const BestSearch& search);
// The tries so far and why the search ended, one line each; the best first.
std::vector<std::string> search_news(const AppState& state);

}  // namespace rooftile::scene
