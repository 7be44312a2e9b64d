// The launches of a session in launch order. A point is found by its id, added or replaced in constant time,
// and a reader that keeps something for each point learns which ones changed since it last looked.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <unordered_map>
#include <vector>

#include "analysis/record/point.hpp"

namespace rooftile {

class PointList {
 public:
  // Replaces the newest point of this id unless that one is final: then another launch begins, so sessions may
  // be joined end to end.
  void add(Point point);
  // The newest launch of this id, or null. Valid until the next add.
  const Point* find(std::uint64_t id) const;

  // Grows by one with each add, so a reader that is handed another list starts again at 0.
  std::uint64_t revision() const { return changes_.size(); }
  // Positions in the order of their changes; a point that changed twice stands twice.
  std::span<const std::size_t> changed_since(std::uint64_t revision) const;

  auto begin() const { return points_.begin(); }
  auto end() const { return points_.end(); }
  auto rbegin() const { return points_.rbegin(); }
  auto rend() const { return points_.rend(); }
  std::size_t size() const { return points_.size(); }
  bool empty() const { return points_.empty(); }
  const Point& operator[](std::size_t position) const { return points_[position]; }
  const Point& front() const { return points_.front(); }
  const Point& back() const { return points_.back(); }

 private:
  std::deque<Point> points_;                               // which does not move those that are there
  std::unordered_map<std::uint64_t, std::size_t> newest_;  // position of each id
  std::vector<std::size_t> changes_;                       // one position per revision
};

}  // namespace rooftile
