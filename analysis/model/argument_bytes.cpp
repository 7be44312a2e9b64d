#include "analysis/model/argument_bytes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace rooftile {
namespace {

std::uint64_t bits_of(const std::string& type, double value) {
  const auto single = static_cast<float>(value);
  return type == "float"      ? std::bit_cast<std::uint32_t>(single)
         : type == "double"   ? std::bit_cast<std::uint64_t>(value)
         : type == "half"     ? half_bits(single)
         : type == "bfloat16" ? bfloat16_bits(single)
                              : static_cast<std::uint64_t>(std::llround(value));
}

std::string little_endian(std::uint64_t bits, std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) {
    text += static_cast<char>(bits >> (8 * i));
  }
  return text;
}

}  // namespace

std::uint64_t half_bits(float number) {
  int exponent = 0;
  const float size = std::abs(number);
  const std::uint64_t sign = std::signbit(number) ? 0x8000 : 0;
  static_cast<void>(std::frexp(size, &exponent));
  if (size == 0 || exponent < -24) {
    return sign;
  }
  if (exponent > 16) {
    return sign | 0x7c00;
  }
  // Numbers below 2^-14 share its spacing; one that is rounded up to the next power of two carries by itself.
  const int spacing = std::max(exponent - 11, -24);
  const auto steps = static_cast<std::uint64_t>(std::nearbyint(std::ldexp(size, -spacing)));
  return sign |
         (spacing == -24 && steps < 1024 ? steps : (static_cast<std::uint64_t>(spacing + 24) << 10) + steps);
}

std::uint64_t bfloat16_bits(float number) {
  const auto bits = std::bit_cast<std::uint32_t>(number);
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

std::string argument_bytes(const Argument& argument, const Parameters& parameters, const AddressOf& address) {
  if (argument.type == "buffer") {
    const auto offset = static_cast<std::uint64_t>(std::llround(argument.value.evaluate(parameters)));
    return little_endian(address(argument.name) + offset, sizeof(std::uint64_t));
  }
  if (argument.type == "hex") {
    return argument.content;
  }
  if (argument.type != "struct") {
    return little_endian(bits_of(argument.type, argument.value.evaluate(parameters)),
                         static_cast<std::size_t>(bytes_of(argument)));
  }
  std::string bytes(static_cast<std::size_t>(argument.bytes), '\0');
  for (const Argument& member : argument.members) {
    const std::string one = argument_bytes(member, parameters, address);
    for (int i = 0; i < member.times; ++i) {
      bytes.replace(static_cast<std::size_t>(member.at) + static_cast<std::size_t>(i) * one.size(), one.size(),
                    one);
    }
  }
  return bytes;
}

}  // namespace rooftile
