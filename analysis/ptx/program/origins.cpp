#include "analysis/ptx/program/origins.hpp"

#include <algorithm>
#include <span>

namespace rooftile::ptx {
namespace {

constexpr std::uint64_t anything = ~std::uint64_t{0};

}  // namespace

Origins::Origins(const Program& program)
    : program_(program), origins_(static_cast<std::size_t>(program.registers)) {
  for (bool grown = true; grown;) {
    grown = false;
    for (const Instruction& x : program.instructions) {
      const Origin made = of_result(x);
      for (int i = 0; i < x.destinations; ++i) {
        const Operand& result = program.destination(x)[i];
        if (result.kind == Operand::Kind::reg) {
          Origin& known = origins_[result.index];
          const Origin both{known.parameters | made.parameters, known.pointers | made.pointers,
                            known.data || made.data};
          grown = grown || both != known;
          known = both;
        }
      }
    }
  }
}

Origins::Origin Origins::of_sources(const Instruction& x) const {
  Origin all;
  const auto add = [&](std::int32_t reg) {
    if (reg >= 0) {
      all.parameters |= origins_[reg].parameters;
      all.pointers |= origins_[reg].pointers;
      all.data = all.data || origins_[reg].data;
    }
  };
  add(x.guard);
  for (const Operand& operand : std::span(program_.source(x), x.sources)) {
    const bool is_register = operand.kind == Operand::Kind::reg || operand.kind == Operand::Kind::address;
    add(is_register ? operand.index : -1);
  }
  return all;
}

Origins::Origin Origins::of_result(const Instruction& x) const {
  constexpr std::uint64_t bytes_of_pointer = 8, bits = 64;
  if (x.op == Op::ld && x.space == Space::param && x.sources > 0) {
    return {std::uint64_t{1} << program_.source(x)->value / bytes_of_pointer % bits, 0, false};
  }
  if (x.op == Op::ld || x.op == Op::atom || x.op == Op::ldmatrix) {
    return {0, 0, true};
  }
  Origin made = of_sources(x);
  if (x.op == Op::cvta && x.has(to_space)) {
    made.pointers |= made.parameters != 0 ? made.parameters : anything;
  }
  return made;
}

Origins::Origin Origins::of_address(const Instruction& access) const {
  const std::span<const Operand> all(program_.source(access), access.sources);
  const auto address = std::ranges::find(all, Operand::Kind::address, &Operand::kind);
  return address == all.end() || address->index < 0 ? Origin() : origins_[address->index];
}

std::uint64_t Origins::pointers_of(const Instruction& access) const {
  const Origin origin = of_address(access);
  if (origin.pointers != 0) {
    return origin.pointers;
  }
  return origin.parameters != 0 && !origin.data ? origin.parameters : anything;
}

bool Origins::is_address_made_of_data(const Instruction& access) const {
  return of_address(access).data;
}

bool Origins::is_made_of_data(const Instruction& x) const {
  return of_sources(x).data;
}

}  // namespace rooftile::ptx
