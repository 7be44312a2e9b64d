#include "analysis/record/point_list.hpp"

#include <algorithm>
#include <utility>

namespace rooftile {

void PointList::add(Point point) {
  const auto newest = newest_.find(point.id);
  const bool known = newest != newest_.end() && !points_[newest->second].final;
  const std::size_t position = known ? newest->second : points_.size();
  if (known) {
    points_[position] = std::move(point);
  } else {
    newest_[point.id] = position;
    points_.push_back(std::move(point));
  }
  changes_.push_back(position);
}

const Point* PointList::find(std::uint64_t id) const {
  const auto newest = newest_.find(id);
  return newest != newest_.end() ? &points_[newest->second] : nullptr;
}

std::span<const std::size_t> PointList::changed_since(std::uint64_t revision) const {
  return std::span(changes_).subspan(std::min<std::uint64_t>(revision, changes_.size()));
}

}  // namespace rooftile
