#include "app/scene/picture/chart_picture.hpp"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <utility>

namespace rooftile::scene {

void ring_pointed(ChartPicture& picture, const ChartLook& look, const ChartFrame& frame) {
  constexpr float beyond = 4, width = 1.8f, core = 2.2f;
  Specks cores{{}, frame.px(core), frame.colours->text, frame.colours->panel, 1, Evidence::counted};
  for (const PlacedDot& dot : picture.dots) {
    if (dot.launch == look.pointed) {
      picture.inside.push_back(
          Ring{dot.at, dot.radius + frame.px(beyond), {frame.colours->accent}, frame.px(width)});
    } else if (dot.level == look.level && look.selected.contains(dot.launch)) {
      cores.centres.push_back(dot.at);
    }
  }
  if (!cores.centres.empty()) {
    picture.inside.push_back(std::move(cores));
  }
}

std::set<std::uint64_t> launches_in(const ChartPicture& picture, const Rect& part, MemoryLevel level) {
  std::set<std::uint64_t> launches;
  for (const PlacedDot& dot : picture.dots) {
    const bool inside =
        dot.at.x >= part.x && dot.at.x <= part.right() && dot.at.y >= part.y && dot.at.y <= part.bottom();
    if (inside && dot.level == level) {
      launches.insert(dot.launch);
    }
  }
  return launches;
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
