#include "app/scene/chart_picture.hpp"

#include <algorithm>
#include <cmath>
#include <ranges>

namespace rooftile::scene {

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
