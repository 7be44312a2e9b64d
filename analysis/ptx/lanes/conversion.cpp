#include "analysis/ptx/lanes/conversion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rooftile::ptx {
namespace {

float of_half(std::uint64_t bits) {
  const auto exponent = static_cast<int>(bits >> 10 & 31);
  const auto fraction = static_cast<float>(bits & 1023);
  const float size = exponent == 0    ? std::ldexp(fraction, -24)
                     : exponent == 31 ? (fraction == 0 ? std::numeric_limits<float>::infinity()
                                                       : std::numeric_limits<float>::quiet_NaN())
                                      : std::ldexp(1024 + fraction, exponent - 25);
  return (bits >> 15 & 1) != 0 ? -size : size;
}

// Cut off at what the type holds, as cvt does.
std::uint64_t whole_of(const Instruction& x, double value) {
  if (std::isnan(value)) {
    return 0;
  }
  const double rounded = x.has(to_nearest) ? std::nearbyint(value)
                         : x.has(to_lower) ? std::floor(value)
                         : x.has(to_upper) ? std::ceil(value)
                                           : std::trunc(value);
  const int bits = 8 * x.type.bytes;
  const bool is_signed = x.type.kind == 's';
  const double above = std::ldexp(1.0, is_signed ? bits - 1 : bits);
  if (rounded >= above) {
    return mask_of(is_signed ? bits - 1 : bits);
  }
  if (is_signed) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::max(rounded, -above))) & mask_of(bits);
  }
  return rounded <= 0 ? 0 : static_cast<std::uint64_t>(rounded);
}

}  // namespace

std::uint64_t sign_extended(std::uint64_t value, Type type) {
  if (type.kind != 's' || type.bytes >= 4) {
    return value;
  }
  const int above = 64 - 8 * type.bytes;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value << above) >> above) & 0xffffffffU;
}

bool is_float(Type type) {
  return type.kind == 'f' && type.bytes >= 4;
}

double floating_value(Type type, std::uint64_t bits) {
  return type.bytes == 8    ? Floating<double>::value(bits)
         : type.bytes == 4  ? static_cast<double>(Floating<float>::value(bits))
         : type.kind == 'h' ? static_cast<double>(Floating<float>::value(bits << 16))
                            : static_cast<double>(of_half(bits));
}

void convert(const Instruction& x, const ForEachLane& for_each_lane, const Sources& s) {
  const bool from_float = x.from.kind == 'f' || x.from.kind == 'h';
  const Whole whole{x.from.kind == 's', 8 * x.from.bytes};
  const std::uint64_t cut = mask_of(8 * x.type.bytes), cut_from = mask_of(8 * x.from.bytes);
  if (!from_float && !is_float(x.type)) {
    return for_each_lane([&](int i) { return static_cast<std::uint64_t>(whole(s[0][i] & cut_from)) & cut; });
  }
  const auto value = [&](int i) {
    return from_float        ? floating_value(x.from, s[0][i])
           : whole.is_signed ? static_cast<double>(whole(s[0][i]))
                             : static_cast<double>(s[0][i] & cut_from);
  };
  if (!is_float(x.type)) {
    return for_each_lane([&](int i) { return whole_of(x, value(i)); });
  }
  x.type.bytes == 8 ? for_each_lane([&](int i) { return Floating<double>::bits(value(i)); })
                    : for_each_lane([&](int i) { return Floating<float>::bits(static_cast<float>(value(i))); });
}

// Global addresses are generic ones already.
void convert_address(const Instruction& x, const ForEachLane& for_each_lane, const Sources& s) {
  const std::uint64_t window = window_of(x.space);
  x.has(to_space) ? for_each_lane([&](int i) { return s[0][i] & ~window; })
                  : for_each_lane([&](int i) { return s[0][i] | window; });
}

}  // namespace rooftile::ptx
