#include "analysis/roofline/roofline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

// Datasheets quote a clock that boards do not keep, and a benchmark may not reach the peak. So a share is wrong
// only if it is above the measured roof and above the roof counted at the clock held, as far as they are known.
template <class What, class ShareOf>
bool is_above_all(const Roofs& roofs, const What& what, ShareOf share_of) {
  bool above = false;
  for (const Origin origin : {Origin::measured, Origin::spec}) {
    if (const auto* roof = roofs.find(what, origin)) {
      if (share_of(*roof) <= 1 + roof_tolerance) {
        return false;
      }
      above = true;
    }
  }
  return above;
}

// A model without bytes of DRAM still knows the compulsory ones.
std::optional<Bytes> modelled_bytes(const ModelFigures& modelled, MemoryLevel level) {
  if (level == MemoryLevel::dram && !modelled.bytes[level] && modelled.compulsory_dram.value > 0) {
    return modelled.compulsory_dram;
  }
  return modelled.bytes[level];
}

// Models know requested bytes alone, so these cannot stand in for returned bytes.
std::optional<Bytes> known_bytes(const Point& point, MemoryLevel level, ByteDefinition definition) {
  const auto counted = point.counters ? point.counters->bytes(level, definition) : std::nullopt;
  return counted || definition == ByteDefinition::returned ? counted : modelled_bytes(point.modelled, level);
}

std::optional<Flops> flops_of(const Point& point) {
  const auto counted = point.counted_flops();
  const auto flops = counted ? counted : point.modelled.flops;
  return flops && flops->value > 0 ? flops : std::nullopt;
}

// The model's own time, else the time the slowest roof allows; 0 where nobody stated what the kernel does.
Seconds predicted_time(const ModelFigures& modelled, const Roofs& roofs) {
  if (modelled.time || !modelled.states_work) {
    return modelled.time.value_or(Seconds{});
  }
  Seconds slowest;
  for (const MemoryLevel level : memory_levels) {
    const auto bytes = modelled_bytes(modelled, level);
    const MemoryRoof* roof = roofs.find(level);
    if (bytes && roof) {
      slowest = std::max(slowest, *bytes / roof->bandwidth);
    }
  }
  const ComputeRoof* peak = roofs.find(modelled.pipe);
  return modelled.flops && peak ? std::max(slowest, *modelled.flops / peak->peak) : slowest;
}

std::optional<LevelUse> use_of(const Point& point, MemoryLevel level, Seconds time, const Roofs& roofs,
                               ByteDefinition definition) {
  const bool counted = point.counters && point.counters->bytes(level, definition);
  const auto bytes = known_bytes(point, level, definition);
  const bool no_clusters = level == MemoryLevel::distributed && bytes == Bytes{};
  if (!bytes || no_clusters) {
    return {};
  }
  LevelUse use{level, *bytes, *bytes / time, {}, {}, counted, false, {}};
  if (const auto flops = flops_of(point); flops && bytes->value > 0) {
    use.intensity = *flops / *bytes;
  }
  if (const MemoryRoof* roof = roofs.find(level)) {
    use.share = use.bandwidth / roof->bandwidth;
    use.roof_origin = roof->origin;
    use.above_roof = use.counted && is_above_all(roofs, level, [&](const MemoryRoof& each) {
                       return use.bandwidth / each.bandwidth;
                     });
  }
  return use;
}

void stand_under(const Roofs& roofs, Placement& placement) {
  placement.compute_share.reset();
  placement.compute_roof_origin.reset();
  placement.above_compute_roof = false;
  const ComputeRoof* peak = roofs.find(placement.pipe);
  if (placement.performance && peak) {
    placement.compute_share = *placement.performance / peak->peak;
    placement.compute_roof_origin = peak->origin;
    placement.above_compute_roof = is_above_all(
        roofs, placement.pipe, [&](const ComputeRoof& each) { return *placement.performance / each.peak; });
  }
}

// The counters give shares of the cycles in which an SM had work. The instructions issued over the whole time
// tell how many cycles those are.
void add_front_end(const Point& point, const Roofs& roofs, Placement& placement) {
  const ComputeRoof* issue = roofs.find(warp_issue);
  if (!issue || !point.counters || !point.counters->warp_instructions) {
    return;
  }
  const Counters& counters = *point.counters;
  placement.issue_share = Flops{*counters.warp_instructions} / placement.time / issue->peak;
  if (counters.lsu_pipe_use && counters.issue_use.value_or(0) > 0) {
    placement.load_store_share = *counters.lsu_pipe_use * *placement.issue_share / *counters.issue_use;
  }
}

}  // namespace

FlopsPerSecond attainable(FlopsPerByte intensity, BytesPerSecond bandwidth, FlopsPerSecond peak) {
  return std::min(intensity * bandwidth, peak);
}

FlopsPerByte ridge_point(BytesPerSecond bandwidth, FlopsPerSecond peak) {
  return peak / bandwidth;
}

std::string Placement::rate() const {
  return performance ? text(*performance, pipe) : "";
}

std::optional<double> Placement::largest_share() const {
  std::optional<double> largest = compute_share;
  for (const LevelUse& use : levels) {
    largest = std::max(largest, use.share);  // an empty one is below every number
  }
  return largest;
}

const LevelUse* Placement::level(MemoryLevel wanted) const {
  const auto use = std::ranges::find(levels, wanted, &LevelUse::level);
  return use == levels.end() ? nullptr : &*use;
}

std::optional<Placement> place(const Point& point, const Roofs& roofs, ByteDefinition definition) {
  Placement placement;
  placement.evidence = point.evidence();
  placement.pipe = point.modelled.pipe;
  placement.time = point.timing ? point.timing->median : predicted_time(point.modelled, roofs);
  if (!point.sound() || !(placement.time >= shortest_launch)) {
    return {};
  }
  for (const MemoryLevel level : memory_levels) {
    if (const auto use = use_of(point, level, placement.time, roofs, definition)) {
      placement.levels.push_back(*use);
    }
  }
  if (const auto flops = flops_of(point)) {
    placement.performance = *flops / placement.time;
  }
  stand_under(roofs, placement);
  add_front_end(point, roofs, placement);
  placement.above_compute_roof &= placement.evidence == Evidence::counted && point.counted_flops();
  return placement;
}

std::optional<Placement> place_instructions(const Point& point, const Roofs& roofs, ByteDefinition definition) {
  auto placement = place(point, roofs, definition);
  if (!placement || !point.counters || !point.counters->warp_instructions) {
    return {};
  }
  const double instructions = *point.counters->warp_instructions;
  placement->pipe = warp_issue;
  placement->performance = Flops{instructions} / placement->time;
  for (LevelUse& use : placement->levels) {
    const Bytes transactions = 1 / sector_bytes * use.bytes;
    use.intensity = use.bytes.value > 0 ? std::optional(Flops{instructions} / transactions) : std::nullopt;
  }
  stand_under(roofs, *placement);
  return placement;
}

}  // namespace rooftile
