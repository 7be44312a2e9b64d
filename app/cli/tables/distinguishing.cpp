#include "app/cli/tables/distinguishing.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>

namespace rooftile::cli {
namespace {

using Column = std::vector<double>;

// Values by parameter name, of the points of one kernel.
std::map<std::string, Column> columns(const PointList& points, const std::string& kernel) {
  std::map<std::string, Column> all;
  for (const auto& point : points) {
    if (point.kernel == kernel) {
      for (const auto& [name, value] : point.parameters) {
        all[name].push_back(value);
      }
    }
  }
  return all;
}

bool varies(const Column& column) {
  return std::ranges::any_of(column, [&](double value) { return value != column.front(); });
}

std::set<std::string> distinguishing_names(const PointList& points, const std::string& kernel) {
  std::set<std::string> names;
  std::set<Column> seen;
  const auto all = columns(points, kernel);
  // Backwards, so that of K, M and N that go together N stays.
  for (auto it = all.rbegin(); it != all.rend(); ++it) {
    if (varies(it->second) && seen.insert(it->second).second) {
      names.insert(it->first);
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

}  // namespace rooftile::cli
