// Quantities with a dimension: dividing FLOPs by bytes gives FLOP/B, and swapping them does not compile.
#pragma once

#include <compare>

namespace rooftile {

// A double with exponents of FLOP, byte and second. Ratios (all exponents 0) are plain doubles, stored 0..1.
template <int FlopExponent, int ByteExponent, int SecondExponent>
struct Quantity {
  double value = 0;

  bool operator==(const Quantity&) const = default;
  constexpr auto operator<=>(const Quantity& other) const { return value <=> other.value; }
  Quantity& operator+=(Quantity other) {
    value += other.value;
    return *this;
  }
};

// L1, L2 and DRAM move whole sectors.
inline constexpr double sector_bytes = 32;

using Flops = Quantity<1, 0, 0>;
using Bytes = Quantity<0, 1, 0>;
using Seconds = Quantity<0, 0, 1>;
using Hertz = Quantity<0, 0, -1>;
using FlopsPerByte = Quantity<1, -1, 0>;
using FlopsPerSecond = Quantity<1, 0, -1>;
using BytesPerSecond = Quantity<0, 1, -1>;

template <int F, int B, int S>
constexpr Quantity<F, B, S> operator+(Quantity<F, B, S> a, Quantity<F, B, S> b) {
  return {a.value + b.value};
}
template <int F, int B, int S>
constexpr Quantity<F, B, S> operator-(Quantity<F, B, S> a, Quantity<F, B, S> b) {
  return {a.value - b.value};
}
template <int F, int B, int S>
constexpr Quantity<F, B, S> operator*(double factor, Quantity<F, B, S> q) {
  return {factor * q.value};
}
template <int F1, int B1, int S1, int F2, int B2, int S2>
constexpr Quantity<F1 + F2, B1 + B2, S1 + S2> operator*(Quantity<F1, B1, S1> a, Quantity<F2, B2, S2> b) {
  return {a.value * b.value};
}
template <int F1, int B1, int S1, int F2, int B2, int S2>
constexpr auto operator/(Quantity<F1, B1, S1> a, Quantity<F2, B2, S2> b) {
  if constexpr (F1 == F2 && B1 == B2 && S1 == S2) {
    return a.value / b.value;
  } else {
    return Quantity<F1 - F2, B1 - B2, S1 - S2>{a.value / b.value};
  }
}

}  // namespace rooftile
