#include "app/scene/chart/launch_extents.hpp"

#include <algorithm>
#include <cmath>

#include "app/scene/state/recordings.hpp"

namespace rooftile::scene {

void Extent::hold(double value) {
  low = std::min(low.value_or(value), value);
  high = std::max(high.value_or(value), value);
}

void Extent::hold(const Extent& other) {
  if (other.low && other.high) {
    hold(*other.low);
    hold(*other.high);
  }
}

void LaunchExtents::add(const Point& point) {
  if (!landed(point)) {
    return;
  }
  const bool has_both = point.counters && point.counters->bytes(MemoryLevel::l2, ByteDefinition::returned);
  for (const ByteDefinition bytes : {ByteDefinition::requested, ByteDefinition::returned}) {
    if (bytes == ByteDefinition::returned && !has_both) {
      continue;
    }
    for (const auto& placement : {place(point, {}, bytes), place_instructions(point, {}, bytes)}) {
      if (placement && placement->performance) {
        add(point.gpu, *placement);
      }
    }
  }
}

void LaunchExtents::add(const std::string& gpu, const Placement& placement) {
  OfPipe& all = pipes_[{gpu, placement.pipe}];
  all.performance.hold(placement.performance->value);
  for (const LevelUse& use : placement.levels) {
    if (use.intensity && use.bandwidth.value > 0) {
      all.intensity[{use.level, std::ilogb(use.bandwidth.value)}].hold(use.intensity->value);
    }
  }
}

LaunchExtents::Reach LaunchExtents::reach(const Roofs& roofs, const std::string& pipe,
                                          double least_share) const {
  Reach reach;
  const auto found = pipes_.find({roofs.gpu, pipe});
  if (found == pipes_.end()) {
    return reach;
  }
  reach.performance = found->second.performance;
  for (const auto& [use, intensity] : found->second.intensity) {
    const auto& [level, power] = use;
    const MemoryRoof* roof = roofs.find(level);
    if (!roof || std::ldexp(1.0, power + 1) > least_share * roof->bandwidth.value) {
      reach.intensity.hold(intensity);
    }
  }
  return reach;
}

}  // namespace rooftile::scene
