#include "app/scene/paper/heat.hpp"

#include <algorithm>
#include <array>

namespace rooftile::scene {
namespace {

constexpr std::array stops = {rgb(0x440154), rgb(0x482475), rgb(0x414487), rgb(0x355f8d),
                              rgb(0x2a788e), rgb(0x21918c), rgb(0x22a884), rgb(0x44bf70),
                              rgb(0x7ad151), rgb(0xbddf26), rgb(0xfde725)};

}  // namespace

Rgb viridis(double value) {
  const double place = std::clamp(value, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), stops.size() - 2);
  return mix(stops[below], stops[below + 1], place - static_cast<double>(below));
}

Rgb readable_on(Rgb paper) {
  constexpr Rgb black{0, 0, 0}, white{255, 255, 255};
  return contrast(black, paper) > contrast(white, paper) ? black : white;
}

}  // namespace rooftile::scene
