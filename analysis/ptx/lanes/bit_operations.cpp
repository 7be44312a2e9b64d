#include "analysis/ptx/lanes/bit_operations.hpp"

#include <algorithm>
#include <bit>

namespace rooftile::ptx {
namespace {

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

}  // namespace

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
      return for_each_lane([&](int i) {
        const std::uint64_t at = highest_bit(s[0][i], whole);
        return x.has(as_shift) && at < static_cast<std::uint64_t>(bits)
                   ? static_cast<std::uint64_t>(bits) - 1 - at
                   : at;
      });
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

}  // namespace rooftile::ptx
