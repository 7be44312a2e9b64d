#include "analysis/ptx/run/shared_touches.hpp"

#include <algorithm>

namespace rooftile::ptx {
namespace {

// Lanes of a warp are in order where they are one, or after a __syncwarp(). An instruction that lets several
// write a place lets one of them win.
bool is_in_order(const Touch& earlier, const Touch& later) {
  return earlier.barriers != later.barriers ||
         (earlier.warp == later.warp && (earlier.lane == later.lane || earlier.warp_syncs != later.warp_syncs ||
                                         earlier.instruction == later.instruction));
}

std::uint64_t narrowest_access(const Program& program) {
  int bytes = 4;
  for (const Instruction& x : program.instructions) {
    const bool is_plain = x.op == Op::ld || x.op == Op::st || x.op == Op::atom || x.op == Op::red;
    if (is_plain && (x.space == Space::shared || x.space == Space::generic)) {
      bytes = std::min(bytes, std::max(1, int{x.type.bytes}));
    }
  }
  return static_cast<std::uint64_t>(bytes);
}

}  // namespace

SharedTouches::SharedTouches(const Program& program, std::int64_t dynamic_bytes)
    : bytes_apart_(narrowest_access(program)) {
  const auto bytes = static_cast<std::uint64_t>(program.static_shared_bytes + dynamic_bytes);
  places_.resize((bytes + bytes_apart_ - 1) / bytes_apart_);
}

SharedTouches::WarpProgress& SharedTouches::of(int warp) {
  const auto index = static_cast<std::size_t>(warp);
  warps_.resize(std::max(warps_.size(), index + 1));
  return warps_[index];
}

void SharedTouches::await_copy_groups(int warp, int left) {
  WarpProgress& progress = of(warp);
  progress.arrived = std::max(progress.arrived, progress.group - std::clamp(left, 0, progress.group));
}

// Two of the lanes that read one address one after another stand for all.
template <typename Do>
void SharedTouches::for_places(std::int32_t instruction, int warp, std::uint32_t lanes,
                               const std::uint64_t* addresses, int bytes, int most_alike, Do&& each) {
  Touch touch{instruction, warp, 0, barriers_, of(warp).syncs};
  const std::uint64_t* before = nullptr;
  int alike = 0;
  for (touch.lane = 0; touch.lane < lanes_of_warp; ++touch.lane) {
    if ((lanes >> touch.lane & 1) == 0) {
      continue;
    }
    const std::uint64_t* at = &addresses[touch.lane];
    alike = before && *before == *at ? alike + 1 : 1;
    before = at;
    const std::uint64_t last = (*at + static_cast<std::uint64_t>(bytes) - 1) / bytes_apart_;
    for (std::uint64_t place = *at / bytes_apart_;
         alike <= most_alike && place <= last && place < places_.size(); ++place) {
      each(places_[place], touch);
    }
  }
}

void SharedTouches::touch(std::int32_t instruction, int warp, std::uint32_t lanes,
                          const std::uint64_t* addresses, int bytes, AccessKind kind) {
  const int most_alike = kind == AccessKind::load ? 2 : lanes_of_warp;
  for_places(instruction, warp, lanes, addresses, bytes, most_alike, [&](Place& place, const Touch& touch) {
    kind == AccessKind::load    ? load(place, touch)
    : kind == AccessKind::store ? store(place, touch)
                                : combine(place, touch);
  });
}

void SharedTouches::copy(std::int32_t instruction, int warp, std::uint32_t lanes,
                         const std::uint64_t* addresses, int bytes) {
  for_places(instruction, warp, lanes, addresses, bytes, lanes_of_warp, [&](Place& place, Touch touch) {
    touch.copy_group = of(warp).group;
    store(place, touch);
  });
}

void SharedTouches::load(Place& place, const Touch& touch) {
  const Touch& write = place.write;
  if (write.instruction < 0 && place.atomic.instruction < 0) {
    tell(Race::Kind::unwritten, {}, touch);
  } else if (write.copy_group >= 0 && write.copy_group >= of(write.warp).arrived) {
    tell(Race::Kind::under_way, write, touch);
  } else {
    meet(place, write, touch);
  }
  meet(place, place.atomic, touch);
  if (place.read.warp != touch.warp) {
    place.read_of_other_warp = place.read;
  } else if (place.read.lane != touch.lane) {
    place.read_of_other_lane = place.read;
  }
  place.read = touch;
}

void SharedTouches::store(Place& place, const Touch& touch) {
  for (const Touch& earlier :
       {place.write, place.atomic, place.read, place.read_of_other_lane, place.read_of_other_warp}) {
    meet(place, earlier, touch);
  }
  place.write = touch;
}

// Atomics among themselves are in order.
void SharedTouches::combine(Place& place, const Touch& touch) {
  for (const Touch& earlier : {place.write, place.read, place.read_of_other_lane, place.read_of_other_warp}) {
    meet(place, earlier, touch);
  }
  place.atomic = touch;
}

void SharedTouches::meet(const Place& place, const Touch& earlier, const Touch& later) {
  constexpr std::size_t most = 4096;
  constexpr std::uint64_t bytes_of_word = 4;
  if (earlier.instruction < 0 || is_in_order(earlier, later)) {
    return;
  }
  tell(Race::Kind::unordered, earlier, later);
  const auto number = static_cast<std::uint64_t>(&place - places_.data()) * bytes_apart_ / bytes_of_word;
  if (meetings_.size() < most && met_.insert(number).second) {
    meetings_.push_back({Race::Kind::unordered, earlier, later, number});
  }
}

void SharedTouches::tell(Race::Kind kind, const Touch& earlier, const Touch& later) {
  constexpr std::size_t most = 100;
  const auto [one, other] = std::minmax(earlier.instruction, later.instruction);
  const Race race{kind, earlier, later, 0};
  if (const auto told = told_.find({kind, one, other}); told != told_.end()) {
    Race& before = races_[told->second];
    before = before.is_within_warp() && !race.is_within_warp() ? race : before;
  } else if (races_.size() < most) {
    told_.emplace(std::tuple(kind, one, other), races_.size());
    races_.push_back(race);
  }
}

}  // namespace rooftile::ptx
