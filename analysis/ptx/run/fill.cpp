#include "analysis/ptx/run/fill.hpp"

#include <bit>
#include <cmath>

#include "analysis/model/argument_bytes.hpp"

namespace rooftile::ptx {
namespace {

std::uint32_t mixed(std::uint64_t index, std::uint32_t seed) {
  std::uint32_t bits =
      static_cast<std::uint32_t>(index) ^ static_cast<std::uint32_t>(index >> 32) * 0x9e3779b9U ^ seed;
  bits = (bits ^ bits >> 16) * 0x85ebca6bU;
  bits = (bits ^ bits >> 13) * 0xc2b2ae35U;
  return bits ^ bits >> 16;
}

std::uint64_t random_bits(std::uint64_t index, std::uint32_t seed) {
  return std::uint64_t{mixed(index, ~seed)} << 32 | mixed(index, seed);
}

bool is_half(const std::string& element) {
  return element == "half";
}

// Less than a bound stays less.
float towards_zero(double number) {
  const auto nearest = static_cast<float>(number);
  return std::abs(static_cast<double>(nearest)) > std::abs(number) ? std::nextafter(nearest, 0.0F) : nearest;
}

// Floating point: from -0.5 to less than 0.5; whole numbers: all bits.
std::uint64_t any_bits(const std::string& element, std::uint64_t bits) {
  if (element == "float" || element == "bfloat16" || is_half(element)) {
    return number_bits(element, static_cast<double>(static_cast<std::uint32_t>(bits) >> 8) * 0x1p-24 - 0.5);
  }
  return element == "double" ? number_bits(element, static_cast<std::uint32_t>(bits) * 0x1p-32 - 0.5) : bits;
}

double evenly(std::uint64_t i, double count, double below) {
  const auto place = static_cast<double>(i);
  return below == count ? place : count > 1 ? place * (below - 1) / (count - 1) : 0;
}

}  // namespace

std::uint64_t number_bits(const std::string& element, double number) {
  if (element == "float") {
    return std::bit_cast<std::uint32_t>(towards_zero(number));
  }
  if (element == "double") {
    return std::bit_cast<std::uint64_t>(number);
  }
  if (is_half(element)) {
    return half_bits(static_cast<float>(number));
  }
  if (element == "bfloat16") {
    return bfloat16_bits(static_cast<float>(number));
  }
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
}

std::uint64_t element_of(const Fill& fill, std::uint64_t i) {
  const bool same = mixed(i, ~fill.seed) * 0x1p-32 < fill.skew;
  const std::uint64_t bits = random_bits(same ? 0 : i, fill.seed);
  if (fill.ascending) {
    return number_bits(fill.element, fill.first + evenly(i, static_cast<double>(fill.count), fill.below));
  }
  return fill.below > 0 ? number_bits(fill.element, static_cast<std::uint32_t>(bits) * 0x1p-32 * fill.below)
                        : any_bits(fill.element, bits);
}

}  // namespace rooftile::ptx
