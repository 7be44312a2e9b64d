// How far the launches of each GPU reach on its chart, so that axes are fitted to any number of them at once.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "analysis/roofline/roofline.hpp"

namespace rooftile::scene {

// Grows to hold values.
struct Extent {
  std::optional<double> low, high;
  void hold(double value);
  void hold(const Extent& other);
};

class LaunchExtents {
 public:
  // Takes in every state of a launch that has landed, on the roofline and among the instructions, with the
  // bytes of each definition. Extents only grow: a launch keeps the room that it had before it was counted.
  void add(const Point& point);

  struct Reach {
    Extent performance;  // [FLOP/s] or [instructions/s]
    Extent intensity;    // [FLOP/B] or [instructions per transaction]
  };
  // The reach of the launches on this pipe; warp_issue: among the instructions. Levels that are used by less
  // than `least_share` of their roof, to a factor of two, stay out.
  Reach reach(const Roofs& roofs, const std::string& pipe, double least_share) const;

 private:
  struct OfPipe {
    Extent performance;
    std::map<std::pair<MemoryLevel, int>, Extent> intensity;  // by level and the power of two of its bandwidth
  };
  void add(const std::string& gpu, const Placement& placement);

  std::map<std::pair<std::string, std::string>, OfPipe> pipes_;  // by GPU and pipe
};

}  // namespace rooftile::scene
