#include "app/scene/paper/arrow.hpp"

#include <cmath>

namespace rooftile::scene {
namespace {

constexpr float head_length = 9, head_half = 4.5f, shaft_width = 2;

// From the end of the arrow backwards, and to its left.
Spot behind_end(const Arrow& arrow, float distance, float aside = 0) {
  const float x = (arrow.to.x - arrow.from.x) / arrow.length(),
              y = (arrow.to.y - arrow.from.y) / arrow.length();
  return {arrow.to.x - x * distance + y * aside, arrow.to.y - y * distance - x * aside};
}

}  // namespace

float Arrow::length() const {
  return std::hypot(to.x - from.x, to.y - from.y);
}

Arrow arrow_between(Spot from, Spot to, float left_at_start) {
  Arrow arrow{from, to};
  if (arrow.length() > left_at_start) {
    arrow.from = behind_end(arrow, arrow.length() - left_at_start);
  }
  return arrow;
}

void add_arrow(Drawing& drawing, const Arrow& arrow, Ink ink, float unit) {
  const float head = head_length * unit, half = head_half * unit;
  drawing.emplace_back(Stroke{arrow.from, behind_end(arrow, head), ink, shaft_width * unit});
  drawing.emplace_back(Area{{arrow.to, behind_end(arrow, head, half), behind_end(arrow, head, -half)}, ink});
}

}  // namespace rooftile::scene
