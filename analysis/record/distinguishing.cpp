#include "analysis/record/distinguishing.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <string>

#include "analysis/manifest/differing.hpp"

namespace rooftile {
namespace {

using Column = std::vector<std::optional<double>>;

Column column(const std::vector<const Parameters*>& places, const std::string& name) {
  Column values;
  for (const Parameters* place : places) {
    const auto value = place->find(name);
    values.push_back(value != place->end() ? std::optional(value->second) : std::nullopt);
  }
  return values;
}

std::set<std::string> distinguishing_names(const PointList& points, const std::string& kernel) {
  std::vector<const Parameters*> places;
  for (const Point& point : points) {
    if (point.kernel == kernel) {
      places.push_back(&point.parameters);
    }
  }
  std::set<std::string> names;
  std::set<Column> seen;
  // Backwards, so that of K, M and N that go together N stays.
  for (const std::string& name : differing(places) | std::views::reverse) {
    if (seen.insert(column(places, name)).second) {
      names.insert(name);
    }
  }
  return names;
}

}  // namespace

std::vector<Parameters> distinguishing(const PointList& points) {
  std::map<std::string, std::set<std::string>> names;
  std::vector<Parameters> all;
  for (const auto& point : points) {
    if (!names.contains(point.kernel)) {
      names[point.kernel] = distinguishing_names(points, point.kernel);
    }
    Parameters shown;
    std::ranges::copy_if(point.parameters, std::inserter(shown, shown.end()),
                         [&](const auto& one) { return names[point.kernel].contains(one.first); });
    all.push_back(shown);
  }
  return all;
}

}  // namespace rooftile
