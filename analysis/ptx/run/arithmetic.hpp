// One instruction of a warp that moves no memory: what comes of the bits of its sources.
#pragma once

#include <array>
#include <cstdint>

#include "analysis/ptx/program/program.hpp"

namespace rooftile::ptx {

inline constexpr int lanes_of_warp = 32;
inline constexpr std::uint32_t all_lanes = 0xffffffffU;

// A register of a warp: bits by lane, those above its type 0. A predicate is a mask of lanes in element 0.
struct Lanes {
  alignas(32) std::array<std::uint64_t, lanes_of_warp> bits{};
};

// The values that an instruction reads. A source that it does not have is null.
struct Sources {
  std::array<const std::uint64_t*, 4> at{};
  const std::uint64_t* operator[](int i) const { return at[static_cast<std::size_t>(i)]; }
};

// The operation by which an atomic or a reduction combines two values, from the letter of its mode. exch and
// cas: Op::mov.
Op combining(std::uint8_t mode);

// Whether compute() knows it.
bool is_computed(const Instruction& instruction);
// Writes the first `count` lanes, 1 or 32. predicates: the masks among its sources, in order.
void compute(const Instruction& instruction, int count, const Sources& sources, std::uint32_t predicate,
             std::uint64_t* result);
// The lanes of which a comparison holds.
std::uint32_t compared(const Instruction& instruction, int count, const Sources& sources);

}  // namespace rooftile::ptx
