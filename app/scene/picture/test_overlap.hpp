// For tests of pictures: whether two boxes of words cover each other.
#pragma once

#include "app/scene/paper/drawing.hpp"

namespace rooftile::scene {

inline bool lies_within(Spot spot, const std::array<Spot, 4>& box) {
  for (std::size_t i = 0; i < 4; ++i) {
    const Spot from = box[i], to = box[(i + 1) % 4];
    if ((to.x - from.x) * (spot.y - from.y) - (to.y - from.y) * (spot.x - from.x) < 0.01f) {
      return false;
    }
  }
  return true;
}

// Whether one of eleven by five places, spread over the first box, lies in the second.
inline bool overlaps(const std::array<Spot, 4>& a, const std::array<Spot, 4>& b) {
  for (int column = 0; column <= 10; ++column) {
    for (int row = 0; row <= 4; ++row) {
      const float u = static_cast<float>(column) / 10, v = static_cast<float>(row) / 4;
      if (lies_within({a[0].x + (a[1].x - a[0].x) * u + (a[3].x - a[0].x) * v,
                       a[0].y + (a[1].y - a[0].y) * u + (a[3].y - a[0].y) * v},
                      b)) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace rooftile::scene
