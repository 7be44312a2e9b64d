#include "analysis/manifest/sweep_order.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace rooftile {
namespace {

// The grid of the index-th of so many values: 0 for both ends, 1 for the middle, 2 for the middles beside it.
int grid_of(std::size_t index, std::size_t count) {
  const double last = static_cast<double>(count - 1);
  for (int grid = 0;; ++grid) {
    const double parts = std::pow(2, grid);
    const double nearest = std::round(static_cast<double>(index) * parts / std::max(last, 1.0));
    if (std::round(nearest * last / parts) == static_cast<double>(index)) {
      return grid;
    }
  }
}

// By parameter and value.
using Grids = std::map<std::string, std::map<double, int>>;

Grids grids_of(const std::vector<Parameters>& places) {
  std::map<std::string, std::set<double>> values;
  for (const Parameters& place : places) {
    for (const auto& [name, value] : place) {
      values[name].insert(value);
    }
  }
  Grids grids;
  for (const auto& [name, of_name] : values) {
    std::size_t index = 0;
    for (const double value : of_name) {
      grids[name][value] = grid_of(index++, of_name.size());
    }
  }
  return grids;
}

}  // namespace

std::vector<Parameters> coarse_first(std::vector<Parameters> places) {
  const Grids grids = grids_of(places);
  const auto finest = [&](const Parameters& place) {
    int grid = 0;
    for (const auto& [name, value] : place) {
      grid = std::max(grid, grids.at(name).at(value));
    }
    return grid;
  };
  std::ranges::stable_sort(places, {}, finest);
  return places;
}

}  // namespace rooftile
