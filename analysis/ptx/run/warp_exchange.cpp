// Instructions by which the lanes of a warp, or the parts of a register, exchange values.
#include <algorithm>
#include <bit>

#include "analysis/ptx/run/warp.hpp"

namespace rooftile::ptx {

// Elements of a register to a register each, or back.
void Warp::pack(const Instruction& x, std::uint32_t lanes) {
  const int parts = std::max(x.destinations, x.sources);
  const int bits = 8 * x.type.bytes / parts;
  if (bits == 0 || bits >= 64) {
    return x.decides ? fail(x) : void();
  }
  const std::uint64_t cut = (std::uint64_t{1} << bits) - 1;
  Lanes made;
  if (x.destinations == 1) {
    for (int part = 0; part < parts; ++part) {
      const std::uint64_t* from = values(program_.source(x)[part]);
      for (std::size_t lane = 0; lane < lanes_of_warp; ++lane) {
        made.bits[lane] |= (from[lane] & cut) << (bits * part);
      }
    }
    return set(*program_.destination(x), lanes, made.bits.data());
  }
  Lanes whole;
  std::copy_n(values(program_.source(x)[0]), lanes_of_warp, whole.bits.data());
  for (int part = 0; part < parts; ++part) {
    for (std::size_t lane = 0; lane < lanes_of_warp; ++lane) {
      made.bits[lane] = whole.bits[lane] >> (bits * part) & cut;
    }
    set(program_.destination(x)[part], lanes, made.bits.data());
  }
}

// shfl: c holds a clamp in its low bits, and which bits of a lane are its segment's.
void Warp::exchange(const Instruction& x, std::uint32_t lanes) {
  if (x.sources < 3) {
    fail(x);
  }
  Lanes from;
  std::copy_n(values(program_.source(x)[0]), lanes_of_warp, from.bits.data());
  const std::uint64_t* b = values(program_.source(x)[1]);
  const std::uint64_t* c = values(program_.source(x)[2]);
  Lanes made;
  std::uint32_t inside = 0;
  for (int lane = 0; lane < lanes_of_warp; ++lane) {
    const int by = static_cast<int>(b[lane] & 31), clamp = static_cast<int>(c[lane] & 31);
    const int segment = static_cast<int>(c[lane] >> 8 & 31), lowest = lane & segment;
    const int highest = lowest | (clamp & ~segment);
    const int wanted = x.mode == 'u'   ? lane - by
                       : x.mode == 'd' ? lane + by
                       : x.mode == 'b' ? lane ^ by
                                       : lowest | (by & ~segment);
    const bool is_inside = x.mode == 'u' ? wanted >= highest : wanted <= highest;
    inside |= static_cast<std::uint32_t>(is_inside) << lane;
    made.bits[static_cast<std::size_t>(lane)] =
        from.bits[static_cast<std::size_t>(is_inside ? wanted & 31 : lane)];
  }
  set(program_.destination(x)[0], lanes, made.bits.data());
  if (x.destinations > 1) {
    set_predicate(program_.destination(x)[1], lanes, inside);
  }
}

void Warp::vote(const Instruction& x, std::uint32_t lanes) {
  const std::uint32_t holds =
      x.op == Op::vote && x.sources > 0 ? predicate_of(program_.source(x)[0]) & lanes : lanes;
  const Operand& result = *program_.destination(x);
  Lanes made;
  if (x.op == Op::elect) {
    made.bits.fill(static_cast<std::uint64_t>(std::countr_zero(lanes)));
    set(result, lanes, made.bits.data());
    return x.destinations > 1 ? set_predicate(program_.destination(x)[1], lanes, lanes & (0 - lanes)) : void();
  }
  if (x.op == Op::activemask || x.mode == 'b') {
    made.bits.fill(holds);
    return set(result, lanes, made.bits.data());
  }
  const bool all = holds == lanes, none = holds == 0;
  const bool outcome = x.mode == 'l' ? all : x.mode == 'a' ? !none : all || none;
  set_predicate(result, lanes, outcome ? all_lanes : 0);
}

void Warp::match(const Instruction& x, std::uint32_t lanes) {
  Lanes made;
  const std::uint64_t* value = values(*program_.source(x));
  for (int lane = 0; lane < lanes_of_warp; ++lane) {
    for (int other = 0; other < lanes_of_warp; ++other) {
      const bool same = (lanes >> other & 1) != 0 && value[other] == value[lane];
      made.bits[static_cast<std::size_t>(lane)] |= std::uint64_t{same} << other;
    }
  }
  const bool all = made.bits[static_cast<std::size_t>(std::countr_zero(lanes))] == lanes;
  if (x.mode == 'l' && !all) {
    made.bits.fill(0);
  }
  set(program_.destination(x)[0], lanes, made.bits.data());
  if (x.destinations > 1) {
    set_predicate(program_.destination(x)[1], lanes, all ? all_lanes : 0);
  }
}

void Warp::reduce(const Instruction& x, std::uint32_t lanes) {
  if (x.mode == 0 || x.type.kind == 'f') {
    return x.decides ? fail(x) : void();
  }
  Instruction step = x;
  step.op = combining(x.mode);
  const std::uint64_t* value = values(*program_.source(x));
  constexpr std::uint64_t none = 0;
  std::uint64_t total = value[std::countr_zero(lanes)];
  for (int lane = std::countr_zero(lanes) + 1; lane < lanes_of_warp; ++lane) {
    if ((lanes >> lane & 1) != 0) {
      ptx::compute(step, 1, {{&total, &value[lane], &none, &none}}, 0, &total);
    }
  }
  Lanes made;
  made.bits.fill(total);
  set(*program_.destination(x), lanes, made.bits.data());
}

}  // namespace rooftile::ptx
