#include "analysis/verdict/paired_ratio.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

// Ratios that may be left out at each end: the most for which a fair coin, thrown n times, falls on one
// side so seldom in at most 2.5 % of cases.
std::size_t left_out(std::size_t n) {
  double chance = std::pow(0.5, static_cast<double>(n)), together = chance;
  std::size_t k = 0;
  while (together <= 0.025) {
    chance *= static_cast<double>(n - k) / static_cast<double>(k + 1);
    together += chance;
    ++k;
  }
  return k - 1;
}

}  // namespace

PairedRatio paired_ratio(std::span<const TimePair> rounds) {
  std::vector<double> ratios;
  std::ranges::transform(rounds, std::back_inserter(ratios),
                         [](const TimePair& each) { return each.b / each.a; });
  return paired_ratio(std::move(ratios));
}

PairedRatio paired_ratio(std::vector<double> ratios) {
  if (ratios.size() < fewest_rounds) {
    throw Error(
        fmt::format("{} rounds are too few to compare: at least {} are needed.", ratios.size(), fewest_rounds));
  }
  std::ranges::sort(ratios);
  const std::size_t n = ratios.size(), end = left_out(n);
  return {(ratios[(n - 1) / 2] + ratios[n / 2]) / 2, ratios[end], ratios[n - 1 - end]};
}

}  // namespace rooftile
