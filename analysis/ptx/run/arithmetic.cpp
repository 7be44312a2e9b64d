#include "analysis/ptx/run/arithmetic.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace rooftile::ptx {
namespace {

std::uint64_t mask_of(int bits) {
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

template <class Float>
Float floating_result(Op op, Float a, Float b, Float c) {
  switch (op) {
    case Op::add:
      return a + b;
    case Op::sub:
      return a - b;
    case Op::mul:
      return a * b;
    case Op::div:
      return a / b;
    case Op::mad:
    case Op::fma:
      return std::fma(a, b, c);
    case Op::min:
      return std::fmin(a, b);
    case Op::max:
      return std::fmax(a, b);
    case Op::abs:
      return std::fabs(a);
    case Op::neg:
      return -a;
    case Op::copysign:
      return std::copysign(b, a);
    case Op::ex2:
      return std::exp2(a);
    case Op::lg2:
      return std::log2(a);
    case Op::rcp:
      return 1 / a;
    case Op::rsqrt:
      return 1 / std::sqrt(a);
    case Op::sqrt:
      return std::sqrt(a);
    case Op::sin:
      return std::sin(a);
    case Op::cos:
      return std::cos(a);
    case Op::tanh:
      return std::tanh(a);
    default:
      return 0;
  }
}

template <class Float>
void compute_floating(const Instruction& x, const ForEachLane& for_each_lane, const Sources& s) {
  using F = Floating<Float>;
  for_each_lane([&](int i) {
    return F::bits(floating_result<Float>(x.op, F::value(s[0][i]), s[1] ? F::value(s[1][i]) : Float{},
                                          s[2] ? F::value(s[2][i]) : Float{}));
  });
}

// The upper half of a product of 64 bits takes 128.
std::uint64_t high_product(std::int64_t a, std::int64_t b, const Whole& whole) {
  if (whole.bits < 64) {
    return static_cast<std::uint64_t>(a * b) >> whole.bits;
  }
  __extension__ using Wide = __int128;
  __extension__ using UnsignedWide = unsigned __int128;
  return whole.is_signed
             ? static_cast<std::uint64_t>((Wide{a} * b) >> 64)
             : static_cast<std::uint64_t>(
                   (UnsignedWide{static_cast<std::uint64_t>(a)} * static_cast<std::uint64_t>(b)) >> 64);
}

std::uint64_t quotient(std::int64_t a, std::int64_t b, const Whole& whole, bool remainder) {
  if (b == 0) {
    return ~std::uint64_t{0};
  }
  if (!whole.is_signed) {
    const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
    return remainder ? x % y : x / y;
  }
  if (b == -1) {
    return remainder ? 0 : 0 - static_cast<std::uint64_t>(a);
  }
  return static_cast<std::uint64_t>(remainder ? a % b : a / b);
}

void compute_product(const Instruction& x, const ForEachLane& for_each_lane, const Sources& s) {
  const Whole whole{x.from.kind == 's', 8 * x.from.bytes};
  const std::uint64_t cut = mask_of(8 * x.type.bytes);
  const bool adds = x.op == Op::mad;
  if (x.has(high)) {
    return for_each_lane([&](int i) {
      return (high_product(whole(s[0][i]), whole(s[1][i]), whole) + (adds ? s[2][i] : 0)) & cut;
    });
  }
  if (x.has(wide) && whole.is_signed) {
    return for_each_lane([&](int i) {
      return (static_cast<std::uint64_t>(whole(s[0][i]) * whole(s[1][i])) + (adds ? s[2][i] : 0)) & cut;
    });
  }
  adds ? for_each_lane([&](int i) { return (s[0][i] * s[1][i] + s[2][i]) & cut; })
       : for_each_lane([&](int i) { return (s[0][i] * s[1][i]) & cut; });
}

void compute_shift(const Instruction& x, const ForEachLane& for_each_lane, const Sources& s) {
  const int bits = 8 * x.type.bytes;
  const std::uint64_t cut = mask_of(bits);
  const auto distance = [&](int i) { return static_cast<std::uint32_t>(s[1][i]); };
  if (x.op == Op::shl) {
    for_each_lane([&](int i) {
      return distance(i) >= static_cast<std::uint32_t>(bits) ? 0 : (s[0][i] << distance(i)) & cut;
    });
  } else if (x.type.kind == 's') {
    const Whole whole{true, bits};
    for_each_lane([&](int i) {
      const auto by = std::min(distance(i), static_cast<std::uint32_t>(bits - 1));
      return static_cast<std::uint64_t>(whole(s[0][i]) >> by) & cut;
    });
  } else {
    for_each_lane(
        [&](int i) { return distance(i) >= static_cast<std::uint32_t>(bits) ? 0 : s[0][i] >> distance(i); });
  }
}

std::uint64_t bit_field(std::uint64_t value, std::uint64_t position, std::uint64_t length, const Whole& whole) {
  position &= 0xff;
  length &= 0xff;
  const std::uint64_t field = position >= static_cast<std::uint64_t>(whole.bits)
                                  ? 0
                                  : (value >> position) & mask_of(static_cast<int>(length));
  const bool negative = whole.is_signed && length > 0 &&
                        (value >> std::min<std::uint64_t>(position + length - 1, whole.bits - 1) & 1) != 0;
  return (negative ? field | ~mask_of(static_cast<int>(length)) : field) & mask_of(whole.bits);
}

std::uint64_t inserted(std::uint64_t field, std::uint64_t into, std::uint64_t position, std::uint64_t length,
                       int bits) {
  position &= 0xff;
  length &= 0xff;
  if (position >= static_cast<std::uint64_t>(bits)) {
    return into;
  }
  const std::uint64_t where = (mask_of(static_cast<int>(length)) << position) & mask_of(bits);
  return (into & ~where) | ((field << position) & where);
}

// The highest bit that tells a number from its sign.
std::uint64_t highest_bit(std::uint64_t value, const Whole& whole) {
  const std::uint64_t bits = whole(value) < 0 && whole.is_signed ? ~value & mask_of(whole.bits) : value;
  return bits == 0 ? 0xffffffffU : static_cast<std::uint64_t>(63 - std::countl_zero(bits));
}

std::uint64_t reversed(std::uint64_t value, int bits) {
  std::uint64_t result = 0;
  for (int i = 0; i < bits; ++i) {
    result |= (value >> i & 1) << (bits - 1 - i);
  }
  return result;
}

// Bytes of two words, each chosen by four bits: three for which, one for its sign alone.
std::uint64_t permuted(std::uint64_t low, std::uint64_t upper, std::uint64_t choice) {
  const std::uint64_t all = low | upper << 32;
  std::uint64_t result = 0;
  for (int i = 0; i < 4; ++i) {
    const std::uint64_t selector = choice >> (4 * i);
    const std::uint64_t byte = all >> (8 * (selector & 7)) & 0xff;
    result |= ((selector & 8) == 0 ? byte : (byte & 0x80) != 0 ? 0xff : 0) << (8 * i);
  }
  return result;
}

// A table of eight bits, by one bit of each source.
std::uint64_t looked_up(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t table) {
  std::uint64_t result = 0;
  for (int row = 0; row < 8; ++row) {
    if ((table >> row & 1) != 0) {
      result |= ((row & 4) != 0 ? a : ~a) & ((row & 2) != 0 ? b : ~b) & ((row & 1) != 0 ? c : ~c);
    }
  }
  return result & mask_of(32);
}

std::uint64_t funnel(const Instruction& x, std::uint64_t low, std::uint64_t upper, std::uint64_t distance) {
  const std::uint64_t by = x.has(wraps) ? distance & 31 : std::min<std::uint64_t>(distance, 32);
  const std::uint64_t both = low | upper << 32;
  return (x.has(to_left) ? both << by >> 32 : both >> by) & mask_of(32);
}

void compute_bits(const Instruction& x, const ForEachLane& for_each_lane, const Sources& s) {
  const int bits = 8 * x.type.bytes;
  const std::uint64_t cut = mask_of(bits);
  const Whole whole{x.type.kind == 's', bits};
  switch (x.op) {
    case Op::and_:
      return for_each_lane([&](int i) { return s[0][i] & s[1][i]; });
    case Op::or_:
      return for_each_lane([&](int i) { return s[0][i] | s[1][i]; });
    case Op::xor_:
      return for_each_lane([&](int i) { return s[0][i] ^ s[1][i]; });
    case Op::not_:
      return for_each_lane([&](int i) { return ~s[0][i] & cut; });
    case Op::cnot:
      return for_each_lane([&](int i) { return std::uint64_t{s[0][i] == 0}; });
    case Op::popc:
      return for_each_lane([&](int i) { return static_cast<std::uint64_t>(std::popcount(s[0][i])); });
    case Op::clz:
      return for_each_lane(
          [&](int i) { return static_cast<std::uint64_t>(std::countl_zero(s[0][i]) - 64 + bits); });
    case Op::brev:
      return for_each_lane([&](int i) { return reversed(s[0][i], bits); });
    case Op::bfind:
      return for_each_lane([&](int i) { return highest_bit(s[0][i], whole); });
    case Op::bfe:
      return for_each_lane([&](int i) { return bit_field(s[0][i], s[1][i], s[2][i], whole); });
    case Op::bfi:
      return for_each_lane([&](int i) { return inserted(s[0][i], s[1][i], s[2][i], s[3][i], bits); });
    case Op::prmt:
      return for_each_lane([&](int i) { return permuted(s[0][i], s[1][i], s[2][i]); });
    case Op::lop3:
      return for_each_lane([&](int i) { return looked_up(s[0][i], s[1][i], s[2][i], s[3][i]); });
    default:
      return for_each_lane([&](int i) { return funnel(x, s[0][i], s[1][i], s[2][i]); });
  }
}

void compute_whole(const Instruction& x, const ForEachLane& for_each_lane, const Sources& s) {
  const std::uint64_t cut = mask_of(8 * x.type.bytes);
  const Whole whole{x.type.kind == 's', 8 * x.type.bytes};
  const auto cut_off = [&](std::int64_t value) { return static_cast<std::uint64_t>(value) & cut; };
  const auto less = [&](int i) {
    return whole.is_signed ? whole(s[0][i]) < whole(s[1][i]) : s[0][i] < s[1][i];
  };
  switch (x.op) {
    case Op::add:
      return for_each_lane([&](int i) { return (s[0][i] + s[1][i]) & cut; });
    case Op::sub:
      return for_each_lane([&](int i) { return (s[0][i] - s[1][i]) & cut; });
    case Op::neg:
      return for_each_lane([&](int i) { return (0 - s[0][i]) & cut; });
    case Op::abs:
      return for_each_lane([&](int i) { return whole(s[0][i]) < 0 ? (0 - s[0][i]) & cut : s[0][i]; });
    case Op::min:
      return for_each_lane([&](int i) { return less(i) ? s[0][i] : s[1][i]; });
    case Op::max:
      return for_each_lane([&](int i) { return less(i) ? s[1][i] : s[0][i]; });
    case Op::div:
    case Op::rem:
      return for_each_lane(
          [&](int i) { return quotient(whole(s[0][i]), whole(s[1][i]), whole, x.op == Op::rem) & cut; });
    case Op::sad:
      return for_each_lane([&](int i) {
        return cut_off(static_cast<std::int64_t>(s[2][i]) +
                       (less(i) ? whole(s[1][i]) - whole(s[0][i]) : whole(s[0][i]) - whole(s[1][i])));
      });
    default:
      return;
  }
}

float of_half(std::uint64_t bits) {
  const auto exponent = static_cast<int>(bits >> 10 & 31);
  const auto fraction = static_cast<float>(bits & 1023);
  const float size = exponent == 0    ? std::ldexp(fraction, -24)
                     : exponent == 31 ? (fraction == 0 ? std::numeric_limits<float>::infinity()
                                                       : std::numeric_limits<float>::quiet_NaN())
                                      : std::ldexp(1024 + fraction, exponent - 25);
  return (bits >> 15 & 1) != 0 ? -size : size;
}

double floating_value(Type type, std::uint64_t bits) {
  return type.bytes == 8    ? Floating<double>::value(bits)
         : type.bytes == 4  ? static_cast<double>(Floating<float>::value(bits))
         : type.kind == 'h' ? static_cast<double>(Floating<float>::value(bits << 16))
                            : static_cast<double>(of_half(bits));
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

bool is_float(Type type) {
  return type.kind == 'f' && type.bytes >= 4;
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

template <class Value>
bool holds(const Instruction& x, Value a, Value b) {
  switch (x.compare) {
    case Compare::eq:
      return a == b;
    case Compare::ne:
      return a != b;
    case Compare::lt:
      return a < b;
    case Compare::le:
      return a <= b;
    case Compare::gt:
      return a > b;
    case Compare::ge:
      return a >= b;
    default:
      return false;
  }
}

bool holds_of_floats(const Instruction& x, double a, double b) {
  const bool nan = std::isnan(a) || std::isnan(b);
  if (x.compare == Compare::num || x.compare == Compare::nan) {
    return nan == (x.compare == Compare::nan);
  }
  return nan ? x.has(unordered) : holds(x, a, b);
}

std::uint32_t lanes_that(int count, auto&& holds_in) {
  std::uint32_t result = 0;
  for (int i = 0; i < count; ++i) {
    result |= static_cast<std::uint32_t>(holds_in(i)) << i;
  }
  return count == 1 ? 0 - result : result;
}

}  // namespace

Op combining(std::uint8_t mode) {
  switch (mode) {
    case 'a':
      return Op::add;
    case 'n':
      return Op::and_;
    case 'o':
      return Op::or_;
    case 'x':
      return Op::xor_;
    case 'm':
      return Op::min;
    case 'M':
      return Op::max;
    default:
      return Op::mov;
  }
}

bool is_computed(const Instruction& x) {
  const bool narrow = x.type.kind == 'x' || x.type.kind == 'h' || (x.type.kind == 'f' && x.type.bytes < 4);
  const bool in_order = x.op >= Op::abs && x.op <= Op::xor_;
  return in_order && (!narrow || x.op == Op::mov || x.op == Op::selp) && x.from.kind != 'x';
}

void compute(const Instruction& x, int count, const Sources& s, std::uint32_t predicate,
             std::uint64_t* result) {
  const ForEachLane for_each_lane{count, result};
  switch (x.op) {
    case Op::mov:
      return for_each_lane([&](int i) { return s[0][i]; });
    case Op::selp:
      return for_each_lane([&](int i) { return (predicate >> i & 1) != 0 ? s[0][i] : s[1][i]; });
    case Op::cvt:
      return convert(x, for_each_lane, s);
    case Op::cvta:
      return convert_address(x, for_each_lane, s);
    case Op::shl:
    case Op::shr:
      return compute_shift(x, for_each_lane, s);
    default:
      break;
  }
  if (is_float(x.type)) {
    return x.type.bytes == 8 ? compute_floating<double>(x, for_each_lane, s)
                             : compute_floating<float>(x, for_each_lane, s);
  }
  if (x.op == Op::mul || x.op == Op::mad) {
    return compute_product(x, for_each_lane, s);
  }
  constexpr std::array of_bits = {Op::and_, Op::or_,   Op::xor_, Op::not_, Op::cnot, Op::popc, Op::clz,
                                  Op::brev, Op::bfind, Op::bfe,  Op::bfi,  Op::prmt, Op::lop3, Op::shf};
  std::ranges::find(of_bits, x.op) != of_bits.end() ? compute_bits(x, for_each_lane, s)
                                                    : compute_whole(x, for_each_lane, s);
}

std::uint32_t compared(const Instruction& x, int count, const Sources& s) {
  if (is_float(x.from)) {
    return lanes_that(count, [&](int i) {
      return holds_of_floats(x, floating_value(x.from, s[0][i]), floating_value(x.from, s[1][i]));
    });
  }
  const Whole whole{x.from.kind == 's', 8 * x.from.bytes};
  if (whole.is_signed) {
    return lanes_that(count, [&](int i) { return holds(x, whole(s[0][i]), whole(s[1][i])); });
  }
  const std::uint64_t cut = mask_of(whole.bits);
  return lanes_that(count, [&](int i) { return holds(x, s[0][i] & cut, s[1][i] & cut); });
}

}  // namespace rooftile::ptx
