#include "app/scene/paper/label_room.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace rooftile::scene {
namespace {

// Cuts off the part of the line where `value`, which changes evenly between its ends, is below zero.
bool clip(float at_from, float at_to, float& first, float& last) {
  if (at_from < 0 && at_to < 0) {
    return false;
  }
  if (at_from < 0) {
    first = std::max(first, at_from / (at_from - at_to));
  } else if (at_to < 0) {
    last = std::min(last, at_from / (at_from - at_to));
  }
  return first <= last;
}

// The share of the line at which it enters and leaves.
struct Passage {
  float first = 0, last = 1;
  bool exists = false;
};

Passage passage(const Rect& rect, Spot from, Spot to) {
  Passage through;
  through.exists = clip(from.x - rect.x, to.x - rect.x, through.first, through.last) &&
                   clip(rect.right() - from.x, rect.right() - to.x, through.first, through.last) &&
                   clip(from.y - rect.y, to.y - rect.y, through.first, through.last) &&
                   clip(rect.bottom() - from.y, rect.bottom() - to.y, through.first, through.last);
  return through;
}

float side(Spot from, Spot to, Spot point) {
  return (to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x);
}

bool cross(const Bar& a, const Bar& b) {
  return side(a.from, a.to, b.from) * side(a.from, a.to, b.to) < 0 &&
         side(b.from, b.to, a.from) * side(b.from, b.to, a.to) < 0;
}

Rect extent(const Rect& rect) {
  return rect;
}

Rect extent(const Bar& bar) {
  const auto [left, right] = std::minmax(bar.from.x, bar.to.x);
  const auto [top, bottom] = std::minmax(bar.from.y, bar.to.y);
  return {left - bar.half, top - bar.half, right - left + 2 * bar.half, bottom - top + 2 * bar.half};
}

}  // namespace

float distance(Spot point, Spot from, Spot to) {
  const Spot along{to.x - from.x, to.y - from.y};
  const float square = along.x * along.x + along.y * along.y;
  const float place = square > 0 ? ((point.x - from.x) * along.x + (point.y - from.y) * along.y) / square : 0;
  const float t = std::clamp(place, 0.0f, 1.0f);
  return std::hypot(point.x - from.x - along.x * t, point.y - from.y - along.y * t);
}

bool overlap(const Rect& a, const Rect& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

bool overlap(const Rect& rect, const Bar& bar) {
  const Rect grown{rect.x - bar.half, rect.y - bar.half, rect.width + 2 * bar.half, rect.height + 2 * bar.half};
  return passage(grown, bar.from, bar.to).exists;
}

bool overlap(const Bar& a, const Bar& b) {
  const std::array apart = {distance(a.from, b.from, b.to), distance(a.to, b.from, b.to),
                            distance(b.from, a.from, a.to), distance(b.to, a.from, a.to)};
  return cross(a, b) || std::ranges::min(apart) < a.half + b.half;
}

bool holds(const Rect& whole, const Rect& part) {
  return whole.x <= part.x && part.right() <= whole.right() && whole.y <= part.y &&
         part.bottom() <= whole.bottom();
}

std::optional<Bar> within(const Rect& whole, const Bar& line) {
  const Passage through = passage(whole, line.from, line.to);
  const auto at = [&](float share) {
    return Spot{line.from.x + (line.to.x - line.from.x) * share,
                line.from.y + (line.to.y - line.from.y) * share};
  };
  return through.exists ? std::optional(Bar{at(through.first), at(through.last), line.half}) : std::nullopt;
}

template <class Shape>
bool LabelRoom::is_free(const Shape& shape) const {
  const auto is_hit = [&](const auto& taken) { return overlap(taken, shape); };
  return holds(bounds_, extent(shape)) && std::ranges::none_of(rects_, is_hit) &&
         std::ranges::none_of(bars_, [&](const Bar& taken) { return overlap(shape, taken); });
}

template <class Shape>
bool LabelRoom::crosses_line(const Shape& shape) const {
  return std::ranges::any_of(lines_, [&](const Bar& line) { return overlap(shape, line); });
}

template <class Shape>
std::optional<Shape> LabelRoom::take_first(std::span<const Shape> candidates) {
  std::optional<Shape> best;
  for (const Shape& each : candidates) {
    if (!is_free(each)) {
      continue;
    }
    if (!crosses_line(each)) {
      best = each;
      break;
    }
    best = best ? best : each;
  }
  if (best) {
    take(*best);
  }
  return best;
}

std::optional<Rect> LabelRoom::place(std::span<const Rect> candidates) {
  return take_first(candidates);
}

std::optional<Bar> LabelRoom::place(std::span<const Bar> candidates) {
  return take_first(candidates);
}

}  // namespace rooftile::scene
