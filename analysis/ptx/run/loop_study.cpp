#include "analysis/ptx/run/loop_study.hpp"

#include <algorithm>
#include <limits>

namespace rooftile::ptx {
namespace {

constexpr std::int64_t for_ever = std::numeric_limits<std::int64_t>::max();

std::int64_t of_sign(std::uint64_t bits, Type type) {
  if (type.bytes == 0 || type.bytes >= 8) {
    return static_cast<std::int64_t>(bits);
  }
  const int above = 64 - 8 * type.bytes;
  return type.kind == 's' ? static_cast<std::int64_t>(bits << above) >> above
                          : static_cast<std::int64_t>(bits << above >> above);
}

// How often a number can be moved on and still keep its sign.
std::int64_t steps_of_one_sign(std::int64_t number, std::int64_t step) {
  if (step == 0 || (number > 0 && step > 0) || (number < 0 && step < 0)) {
    return for_ever;
  }
  return number == 0 ? 0 : (std::abs(number) - 1) / std::abs(step);
}

}  // namespace

Comparison comparison(Warp& warp, const Program& program, std::int32_t number, std::uint32_t lanes) {
  const Instruction& x = program.instructions[number];
  Comparison made{number, lanes, {}};
  if (x.sources < 2) {
    return made;
  }
  const std::uint64_t* a = warp.values(program.source(x)[0]);
  const std::uint64_t* b = warp.values(program.source(x)[1]);
  for (std::size_t lane = 0; lane < lanes_of_warp; ++lane) {
    const auto left = static_cast<std::uint64_t>(of_sign(a[lane], x.from));
    made.apart[lane] = static_cast<std::int64_t>(left - static_cast<std::uint64_t>(of_sign(b[lane], x.from)));
  }
  return made;
}

LoopStudy::Trip LoopStudy::taken(Warp& warp, const Counts& counts, const Noted& noted) const {
  Trip trip;
  for (const std::int32_t reg : loop_->carried) {
    const std::uint64_t* values = warp.values({Operand::Kind::reg, false, reg, 0});
    trip.carried.insert(trip.carried.end(), values, values + lanes_of_warp);
  }
  for (const std::int32_t i : loop_->accesses) {
    trip.addresses.push_back(noted.last_addresses[i]);
  }
  for (const std::int32_t i : loop_->counted) {
    trip.counted.push_back(counts.instructions[i]);
  }
  trip.blocks.assign(counts.block_warps.begin() + loop_->header, counts.block_warps.begin() + loop_->last + 1);
  trip.blocks.insert(trip.blocks.end(), counts.block_lanes.begin() + loop_->header,
                     counts.block_lanes.begin() + loop_->last + 1);
  trip.blocks.push_back(counts.divergent_branches);
  trip.comparisons = noted.comparisons.size();
  trip.traced = noted.trace ? noted.trace->mark() : SectorTrace::Mark{};
  return trip;
}

std::int64_t LoopStudy::end_of_trip(Warp& warp, Counts& counts, const Noted& noted) {
  trips_.push_back(taken(warp, counts, noted));
  for (std::size_t period = 1; period <= longest_period && 2 * period < trips_.size(); ++period) {
    if (!repeats(period, noted.trace)) {
      continue;
    }
    const std::int64_t times = periods_without_change(period, noted.comparisons, false);
    if (times > 0 && times != for_ever) {  // one without an end is not followed
      move_on(warp, period, times);
      add_trips(counts, before(period), static_cast<double>(times));
      if (noted.trace) {
        noted.trace->repeat(before(period).traced, before(0).traced, times);
      }
      forget();
      return times * static_cast<std::int64_t>(period);
    }
  }
  const bool enough = trips_.size() > longest_period && loop_->by_data && !noted.trace;
  return enough ? skip_by_mean(warp, counts, noted) : 0;
}

std::int64_t LoopStudy::skip_by_mean(Warp& warp, Counts& counts, const Noted& noted) {
  for (std::size_t i = 2; i < trips_.size(); ++i) {
    if (!carried_repeats(trips_[i], trips_[i - 1], trips_[i - 2])) {
      return 0;
    }
  }
  const std::int64_t times = periods_without_change(1, noted.comparisons, true);
  if (times == 0 || times == for_ever) {
    return 0;
  }
  move_on(warp, 1, times);
  add_trips(counts, trips_.front(), static_cast<double>(times) / static_cast<double>(trips_.size() - 1));
  forget();
  return times;
}

bool LoopStudy::repeats(std::size_t period, const SectorTrace* trace) const {
  return carried_repeats(before(0), before(period), before(2 * period)) && addresses_repeat(period) &&
         counts_repeat(period) &&
         (!trace || trace->repeats(before(2 * period).traced, before(period).traced, before(0).traced));
}

// Registers go on by the same step, predicates stay.
bool LoopStudy::carried_repeats(const Trip& last, const Trip& earlier, const Trip& earliest) const {
  const auto &now = last.carried, &once = earlier.carried, &twice = earliest.carried;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const bool predicate = loops_.is_predicate[loop_->carried[i / lanes_of_warp]];
    if (predicate ? now[i] != once[i] : now[i] - once[i] != once[i] - twice[i]) {
      return false;
    }
  }
  return true;
}

// Sectors are met alike only from multiples of their size on, banks from multiples of theirs.
bool LoopStudy::addresses_repeat(std::size_t period) const {
  constexpr std::uint64_t bytes_of_sector = 32, bytes_of_bank = 4;
  const auto &now = before(0).addresses, &once = before(period).addresses,
             &twice = before(2 * period).addresses;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const Instruction& x = program_.instructions[loop_->accesses[i]];
    const bool shared = x.space == Space::shared && x.op != Op::cp_async && x.op != Op::cp_bulk;
    const std::uint64_t step = now[i] - once[i];
    if (step != once[i] - twice[i] || step % (shared ? bytes_of_bank : bytes_of_sector) != 0) {
      return false;
    }
  }
  return true;
}

bool LoopStudy::counts_repeat(std::size_t period) const {
  const Trip &now = before(0), &once = before(period), &twice = before(2 * period);
  for (std::size_t i = 0; i < now.blocks.size(); ++i) {
    if (now.blocks[i] - once.blocks[i] != once.blocks[i] - twice.blocks[i]) {
      return false;
    }
  }
  for (std::size_t i = 0; i < now.counted.size(); ++i) {
    InstructionCounts sum = now.counted[i];
    sum.add(twice.counted[i], 1);
    sum.add(once.counted[i], -2);
    if (!(sum == InstructionCounts{})) {
      return false;
    }
  }
  return true;
}

// Every comparison of a period, beside the one in its place in the period before.
std::int64_t LoopStudy::periods_without_change(std::size_t period, const std::vector<Comparison>& comparisons,
                                               bool data_may_differ) const {
  const auto between = [&](const Trip& from, const Trip& to) {
    std::vector<const Comparison*> all;
    for (std::size_t i = from.comparisons; i < to.comparisons; ++i) {
      if (!data_may_differ || !program_.instructions[comparisons[i].instruction].by_data) {
        all.push_back(&comparisons[i]);
      }
    }
    return all;
  };
  const auto last = between(before(period), before(0)), earlier = between(before(2 * period), before(period));
  std::int64_t least = last.size() == earlier.size() ? for_ever : 0;
  for (std::size_t i = 0; i < last.size() && least > 0; ++i) {
    least = std::min(least, without_change(*last[i], *earlier[i]));
  }
  return least;
}

// Floating point may move on by no step.
std::int64_t LoopStudy::without_change(const Comparison& last, const Comparison& earlier) const {
  if (last.instruction != earlier.instruction || last.lanes != earlier.lanes) {
    return 0;
  }
  const bool is_float = program_.instructions[last.instruction].from.kind == 'f';
  std::int64_t least = for_ever;
  for (std::size_t lane = 0; lane < lanes_of_warp; ++lane) {
    const std::int64_t step = last.apart[lane] - earlier.apart[lane];
    if ((last.lanes >> lane & 1) != 0 && step != 0) {
      least = is_float ? 0 : std::min(least, steps_of_one_sign(last.apart[lane], step));
    }
  }
  return least;
}

void LoopStudy::move_on(Warp& warp, std::size_t period, std::int64_t times) const {
  const Trip &now = before(0), &once = before(period);
  for (std::size_t i = 0; i < loop_->carried.size(); ++i) {
    Lanes moved;
    for (std::size_t lane = 0; lane < lanes_of_warp; ++lane) {
      const std::uint64_t value = now.carried[i * lanes_of_warp + lane],
                          last = once.carried[i * lanes_of_warp + lane];
      const std::uint64_t cut = ((value | last) >> 32) == 0 ? 0xffffffffU : ~std::uint64_t{0};
      moved.bits[lane] = (value + static_cast<std::uint64_t>(times) * (value - last)) & cut;
    }
    warp.set_all(loop_->carried[i], moved);
  }
}

void LoopStudy::add_trips(Counts& counts, const Trip& from, double times) const {
  const Trip& now = before(0);
  for (std::size_t i = 0; i < now.counted.size(); ++i) {
    InstructionCounts step = now.counted[i];
    step.add(from.counted[i], -1);
    counts.instructions[loop_->counted[i]].add(step, times);
  }
  const std::size_t blocks = static_cast<std::size_t>(loop_->last - loop_->header + 1);
  for (std::size_t i = 0; i < blocks; ++i) {
    counts.block_warps[static_cast<std::size_t>(loop_->header) + i] += times * (now.blocks[i] - from.blocks[i]);
    counts.block_lanes[static_cast<std::size_t>(loop_->header) + i] +=
        times * (now.blocks[blocks + i] - from.blocks[blocks + i]);
  }
  counts.divergent_branches += times * (now.blocks.back() - from.blocks.back());
}

}  // namespace rooftile::ptx
