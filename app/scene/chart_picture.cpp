#include "app/scene/chart_picture.hpp"

#include <algorithm>
#include <cmath>
#include <ranges>

namespace rooftile::scene {

void ring_pointed(ChartPicture& picture, const ChartLook& look, const ChartFrame& frame) {
  constexpr float beyond = 4, width = 1.8f;
  for (const PlacedDot& dot : picture.dots) {
    if (dot.launch == look.pointed) {
      picture.inside.push_back(
          Ring{dot.at, dot.radius + frame.px(beyond), {frame.colours->accent}, frame.px(width)});
    }
  }
}

const PlacedDot* dot_at(const ChartPicture& picture, Spot pointer, float reach) {
  for (const PlacedDot& dot : picture.dots | std::views::reverse) {
    if (std::hypot(dot.at.x - pointer.x, dot.at.y - pointer.y) <= dot.radius + reach) {
      return &dot;
    }
  }
  return nullptr;
}

const PlacedRoof* roof_at(const ChartPicture& picture, Spot pointer, float reach) {
  const auto found = std::ranges::find_if(picture.roofs, [&](const PlacedRoof& roof) {
    return distance(pointer, roof.line.from, roof.line.to) <= reach;
  });
  return found != picture.roofs.end() ? &*found : nullptr;
}

}  // namespace rooftile::scene
