#include "analysis/ptx/run/warp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "analysis/ptx/program/program_analysis.hpp"
#include "analysis/text/error.hpp"

namespace rooftile::ptx {
namespace {

constexpr int special_registers = static_cast<int>(Special::zero) + 1;
const Lanes zeros{};

Special operator+(Special special, int further) {
  return static_cast<Special>(static_cast<int>(special) + further);
}

int along(Dim3 extent, int axis) {
  return axis == 0 ? extent.x : axis == 1 ? extent.y : extent.z;
}

}  // namespace

std::vector<Lanes> constants_of(const Program& program) {
  std::vector<Lanes> constants(program.constants.size());
  for (std::size_t i = 0; i < constants.size(); ++i) {
    constants[i].bits.fill(program.constants[i]);
  }
  return constants;
}

Warp::Warp(const Program& program, const std::vector<Lanes>& constants)
    : program_(program),
      constants_(constants),
      registers_(static_cast<std::size_t>(program.registers + special_registers)),
      states_(registers_.size(), State::uniform_filled) {}

void Warp::start(const Launch& launch, Dim3 at, int index) {
  index_ = index;
  const std::int64_t left = launch.block.count() - std::int64_t{lanes_of_warp} * index;
  alive = left >= lanes_of_warp ? all_lanes : (1U << left) - 1;
  groups = {{0, alive}};
  waiting.clear();
  set_specials(launch, at);
}

void Warp::set_special(Special special, std::uint64_t value) {
  const auto slot = static_cast<std::size_t>(program_.registers + static_cast<int>(special));
  registers_[slot].bits.fill(value);
  states_[slot] = State::uniform_filled;
}

void Warp::set_specials(const Launch& launch, Dim3 at) {
  const Dim3 cluster = launch.cluster;
  std::uint64_t rank = 0;
  for (int axis = 2; axis >= 0; --axis) {
    const int here = along(at, axis), blocks = along(launch.grid, axis), of_cluster = along(cluster, axis);
    set_special(Special::ntid_x + axis, static_cast<std::uint64_t>(along(launch.block, axis)));
    set_special(Special::ctaid_x + axis, static_cast<std::uint64_t>(here));
    set_special(Special::nctaid_x + axis, static_cast<std::uint64_t>(blocks));
    set_special(Special::cluster_ctaid_x + axis, static_cast<std::uint64_t>(here % of_cluster));
    set_special(Special::cluster_nctaid_x + axis, static_cast<std::uint64_t>(of_cluster));
    set_special(Special::clusterid_x + axis, static_cast<std::uint64_t>(here / of_cluster));
    set_special(Special::nclusterid_x + axis, static_cast<std::uint64_t>(blocks / of_cluster));
    rank = rank * static_cast<std::uint64_t>(of_cluster) + static_cast<std::uint64_t>(here % of_cluster);
  }
  set_special(Special::cluster_ctarank, rank);
  set_special(Special::cluster_nctarank, static_cast<std::uint64_t>(cluster.count()));
  set_special(Special::warpid, static_cast<std::uint64_t>(index_));
  set_special(Special::nwarpid, static_cast<std::uint64_t>((launch.block.count() + 31) / lanes_of_warp));
  set_special(Special::dynamic_smem_size, static_cast<std::uint64_t>(launch.dynamic_shared_bytes));
  set_special(Special::half_of_grid_workspace, half_of_grid_workspace);
  set_special(Special::zero, 0);
  const auto by_lane = [&](Special special, auto&& of_lane) {
    const auto slot = static_cast<std::size_t>(program_.registers + static_cast<int>(special));
    auto& bits = registers_[slot].bits;
    for (std::uint64_t lane = 0; lane < lanes_of_warp; ++lane) {
      bits[lane] = of_lane(lane) & all_lanes;
    }
    const bool same = std::ranges::all_of(bits, [&](std::uint64_t value) { return value == bits[0]; });
    states_[slot] = same ? State::uniform_filled : State::by_lane;
  };
  const auto x = static_cast<std::uint64_t>(launch.block.x), y = static_cast<std::uint64_t>(launch.block.y);
  const std::uint64_t first = static_cast<std::uint64_t>(index_) * lanes_of_warp;
  by_lane(Special::tid_x, [&](std::uint64_t lane) { return (first + lane) % x; });
  by_lane(Special::tid_y, [&](std::uint64_t lane) { return (first + lane) / x % y; });
  by_lane(Special::tid_z, [&](std::uint64_t lane) { return (first + lane) / (x * y); });
  by_lane(Special::laneid, [](std::uint64_t lane) { return lane; });
  by_lane(Special::lanemask_eq, [](std::uint64_t lane) { return std::uint64_t{1} << lane; });
  by_lane(Special::lanemask_lt, [](std::uint64_t lane) { return (std::uint64_t{1} << lane) - 1; });
  by_lane(Special::lanemask_le, [](std::uint64_t lane) { return (std::uint64_t{2} << lane) - 1; });
  by_lane(Special::lanemask_gt, [](std::uint64_t lane) { return ~((std::uint64_t{2} << lane) - 1); });
  by_lane(Special::lanemask_ge, [](std::uint64_t lane) { return ~((std::uint64_t{1} << lane) - 1); });
}

std::uint64_t Warp::cluster_rank() const {
  return registers_[static_cast<std::size_t>(program_.registers + static_cast<int>(Special::cluster_ctarank))]
      .bits[0];
}

std::int32_t Warp::slot(const Operand& operand) const {
  return operand.kind == Operand::Kind::special ? program_.registers + operand.index : operand.index;
}

bool Warp::is_uniform(const Operand& operand) const {
  const bool in_register = operand.kind == Operand::Kind::special || operand.kind == Operand::Kind::reg ||
                           (operand.kind == Operand::Kind::address && operand.index >= 0);
  return !in_register || states_[slot(operand)] != State::by_lane;
}

const std::uint64_t* Warp::filled(std::int32_t slot) {
  auto& bits = registers_[slot].bits;
  if (states_[slot] == State::uniform) {
    bits.fill(bits[0]);
    states_[slot] = State::uniform_filled;
  }
  return bits.data();
}

const std::uint64_t* Warp::values(const Operand& operand) {
  switch (operand.kind) {
    case Operand::Kind::none:
      return zeros.bits.data();
    case Operand::Kind::immediate:
      return constants_[operand.index].bits.data();
    case Operand::Kind::address:
      if (operand.index < 0) {
        return zeros.bits.data();
      }
      [[fallthrough]];
    default:
      return filled(slot(operand));
  }
}

void Warp::addresses(const Operand& operand, std::uint64_t* result) {
  const std::uint64_t* base = values(operand);
  const std::uint64_t offset = operand.kind == Operand::Kind::address ? operand.value : 0;
  for (int lane = 0; lane < lanes_of_warp; ++lane) {
    result[lane] = base[lane] + offset;
  }
}

void Warp::set(const Operand& operand, std::uint32_t lanes, const std::uint64_t* values) {
  if (operand.kind != Operand::Kind::reg) {
    return;
  }
  auto& bits = registers_[operand.index].bits;
  if (lanes == all_lanes) {
    std::copy_n(values, lanes_of_warp, bits.data());
  } else {
    filled(operand.index);
    for (int lane = 0; lane < lanes_of_warp; ++lane) {
      bits[lane] = (lanes >> lane & 1) != 0 ? values[lane] : bits[lane];
    }
  }
  states_[operand.index] = State::by_lane;
}

void Warp::set_all(std::int32_t reg, const Lanes& values) {
  registers_[reg] = values;
  const bool same =
      std::ranges::all_of(values.bits, [&](std::uint64_t value) { return value == values.bits[0]; });
  states_[reg] = same ? State::uniform_filled : State::by_lane;
}

void Warp::set_predicate(const Operand& operand, std::uint32_t lanes, std::uint32_t holds) {
  if (operand.kind == Operand::Kind::reg) {
    std::uint64_t& bits = registers_[operand.index].bits[0];
    bits = (bits & ~lanes) | (holds & lanes);
    states_[operand.index] = State::by_lane;
  }
}

std::uint32_t Warp::predicate_of(const Operand& operand) const {
  const std::uint32_t holds = operand.kind == Operand::Kind::reg         ? predicate(operand.index)
                              : operand.kind == Operand::Kind::immediate ? (operand.value != 0 ? all_lanes : 0)
                                                                         : 0;
  return operand.negated ? ~holds : holds;
}

bool Warp::gather(const Instruction& x, int count, std::uint32_t lanes, Sources& sources) {
  bool uniform = lanes == alive;
  for (int i = 0; i < count && uniform; ++i) {
    uniform = i >= x.sources || is_uniform(program_.source(x)[i]);
  }
  for (int i = 0; i < 4; ++i) {
    const bool there = i < count && i < x.sources;
    const Operand* operand = there ? &program_.source(x)[i] : nullptr;
    sources.at[static_cast<std::size_t>(i)] =
        !there ? zeros.bits.data()
        : uniform && operand->kind != Operand::Kind::immediate && operand->index >= 0
            ? registers_[slot(*operand)].bits.data()
            : values(*operand);
  }
  return uniform;
}

void Warp::compute(const Instruction& x, std::uint32_t lanes) {
  if (x.destinations == 0 || (x.sources == 0 && x.op != Op::activemask)) {
    fail(x);
  }
  switch (x.op) {
    case Op::setp:
      return compare(x, lanes);
    case Op::shfl:
      return exchange(x, lanes);
    case Op::vote:
    case Op::activemask:
    case Op::elect:
      return vote(x, lanes);
    case Op::match:
      return match(x, lanes);
    case Op::redux:
      return reduce(x, lanes);
    case Op::isspacep:
      return look_up_space(x, lanes);
    default:
      break;
  }
  if (x.op == Op::other) {
    return x.decides ? fail(x) : void();
  }
  if (x.type.kind == 'p') {
    return compute_predicate(x, lanes);
  }
  if (x.op == Op::mov && (x.destinations > 1 || x.sources > 1)) {
    return pack(x, lanes);
  }
  if (!is_computed(x) || x.op == Op::set) {
    return x.decides ? fail(x) : void();
  }
  Sources sources;
  const bool selects = x.op == Op::selp;
  const std::uint32_t predicate = selects && x.sources > 2 ? predicate_of(program_.source(x)[2]) : 0;
  const bool mixed = selects && (predicate & lanes) != 0 && (predicate & lanes) != lanes;
  const bool uniform = gather(x, selects ? 2 : 4, mixed ? 0 : lanes, sources);
  const Operand& result = *program_.destination(x);
  if (result.kind != Operand::Kind::reg) {
    return;
  }
  if (uniform) {
    const std::uint32_t chosen = (predicate & lanes) != 0 ? 1 : 0;
    ptx::compute(x, 1, sources, chosen, registers_[result.index].bits.data());
    states_[result.index] = State::uniform;
  } else if (lanes == alive) {
    ptx::compute(x, lanes_of_warp, sources, predicate, registers_[result.index].bits.data());
    states_[result.index] = State::by_lane;
  } else {
    Lanes made;
    ptx::compute(x, lanes_of_warp, sources, predicate, made.bits.data());
    set(result, lanes, made.bits.data());
  }
}

void Warp::compute_predicate(const Instruction& x, std::uint32_t lanes) {
  const Operand* source = program_.source(x);
  const std::uint32_t a = x.sources > 0 ? predicate_of(source[0]) : 0,
                      b = x.sources > 1 ? predicate_of(source[1]) : 0;
  const std::uint32_t made = x.op == Op::and_   ? a & b
                             : x.op == Op::or_  ? a | b
                             : x.op == Op::xor_ ? a ^ b
                             : x.op == Op::not_ ? ~a
                             : x.op == Op::mov  ? a
                                                : (x.decides ? fail(x) : void(), 0);
  set_predicate(*program_.destination(x), lanes, made);
}

void Warp::compare(const Instruction& x, std::uint32_t lanes) {
  if (x.from.kind == 'x' || x.from.kind == 'h' || x.destinations == 0) {
    return x.decides ? fail(x) : void();
  }
  Sources sources;
  const bool uniform = gather(x, 2, lanes, sources);
  const std::uint32_t holds = compared(x, uniform ? 1 : lanes_of_warp, sources);
  const std::uint32_t third = x.sources > 2 ? predicate_of(program_.source(x)[2]) : 0;
  const auto joined = [&](std::uint32_t mine) {
    return x.join == Op::and_   ? mine & third
           : x.join == Op::or_  ? mine | third
           : x.join == Op::xor_ ? mine ^ third
                                : mine;
  };
  set_predicate(program_.destination(x)[0], lanes, joined(holds));
  if (x.destinations > 1) {
    set_predicate(program_.destination(x)[1], lanes, joined(~holds));
  }
}

void Warp::look_up_space(const Instruction& x, std::uint32_t lanes) {
  const std::uint64_t window = window_of(x.space);
  const std::uint64_t* from = values(*program_.source(x));
  std::uint32_t inside = 0;
  for (int lane = 0; lane < lanes_of_warp; ++lane) {
    const bool is_inside = window == 0 ? from[lane] < shared_window : (from[lane] & window) != 0;
    inside |= static_cast<std::uint32_t>(is_inside) << lane;
  }
  set_predicate(*program_.destination(x), lanes, inside);
}

void Warp::fail(const Instruction& x) const {
  throw Error(fmt::format("{}: \"{}\" decides an address or a branch, which is not followed.",
                          place_of(program_, x), program_.name_of(x)));
}

}  // namespace rooftile::ptx
