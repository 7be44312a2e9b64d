// The registers of a warp as values by lane, and how an instruction goes over them.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

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

inline std::uint64_t mask_of(int bits) {
  return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

// Whole numbers of every size are computed in 64 bits, and cut off.
struct Whole {
  bool is_signed;
  int bits;
  std::int64_t operator()(std::uint64_t value) const {
    const int above = 64 - bits;
    return is_signed ? static_cast<std::int64_t>(value << above) >> above : static_cast<std::int64_t>(value);
  }
};

struct ForEachLane {
  int count;
  std::uint64_t* result;
  void operator()(auto&& of_lane) const {
    if (count == lanes_of_warp) {
      for (int i = 0; i < lanes_of_warp; ++i) {
        result[i] = of_lane(i);
      }
    } else {
      for (int i = 0; i < count; ++i) {
        result[i] = of_lane(i);
      }
    }
  }
};

template <class Float>
struct Floating {
  using Bits = std::conditional_t<sizeof(Float) == 4, std::uint32_t, std::uint64_t>;
  static Float value(std::uint64_t bits) { return std::bit_cast<Float>(static_cast<Bits>(bits)); }
  static std::uint64_t bits(Float value) { return std::bit_cast<Bits>(value); }
};

// Calls of_lane(lane) for each lane of a mask.
template <class F>
void for_lanes(std::uint32_t lanes, F&& of_lane) {
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
    of_lane(std::countr_zero(left));
  }
}

}  // namespace rooftile::ptx
