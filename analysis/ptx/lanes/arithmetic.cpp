#include "analysis/ptx/lanes/arithmetic.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/ptx/lanes/bit_operations.hpp"
#include "analysis/ptx/lanes/conversion.hpp"

namespace rooftile::ptx {
namespace {

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
