#include "app/scene/picture_advice.hpp"

#include <array>
#include <cmath>

namespace rooftile::scene {
namespace {

constexpr float shortest = 14, gap_at_dot = 11, head_length = 9, head_half = 4.5f, label_gap = 6;

struct Arrow {
  Spot from, to;
  float length = 0;
  Spot along(float distance, float aside = 0) const {  // from its end backwards, and to its left
    const float x = (to.x - from.x) / length, y = (to.y - from.y) / length;
    return {to.x - x * distance + y * aside, to.y - y * distance - x * aside};
  }
};

Arrow arrow_between(Spot from, Spot to, float left_at_start) {
  Arrow arrow{from, to, std::hypot(to.x - from.x, to.y - from.y)};
  if (arrow.length > left_at_start) {
    arrow.from = arrow.along(arrow.length - left_at_start);
    arrow.length -= left_at_start;
  }
  return arrow;
}

void label_gain(ChartPicture& picture, LabelRoom& room, const Arrow& arrow, const std::string& gain,
                const ChartFrame& frame) {
  const Size size = frame.measure(Type::figure_strong, gain);
  const float apart = frame.px(label_gap);
  const std::array<Rect, 4> candidates = {
      Rect{arrow.to.x + apart, arrow.to.y - size.height / 2, size.width, size.height},
      Rect{arrow.to.x - size.width - apart, arrow.to.y - size.height / 2, size.width, size.height},
      Rect{arrow.to.x - size.width / 2, arrow.to.y - size.height - apart, size.width, size.height},
      Rect{arrow.to.x - size.width / 2, arrow.to.y + apart, size.width, size.height}};
  if (const auto place = room.place(candidates)) {
    picture.inside.push_back(
        Words{{place->x, place->y + place->height / 2}, gain, Type::figure_strong, {frame.colours->accent}});
  }
}

}  // namespace

void lay_out_advice(ChartPicture& picture, LabelRoom& room, const Chart& chart, const StandingRow* newest,
                    MemoryLevel level, const ChartFrame& frame, const Placing& placing) {
  const PlacedDot* here = newest ? newest->dot(picture, level) : nullptr;
  const Dot* dot = chart.advised ? chart.advised->dot(level) : nullptr;
  const auto there = here && dot ? placing(*chart.advised, *dot, 0) : std::nullopt;
  if (!there) {
    return;
  }
  const Arrow arrow = arrow_between(here->at, *there, frame.px(gap_at_dot));
  if (arrow.length < frame.px(shortest)) {
    return;
  }
  const Ink ink{frame.colours->accent};
  const float head = frame.px(head_length), half = frame.px(head_half);
  picture.inside.push_back(Stroke{arrow.from, arrow.along(head), ink, frame.px(2)});
  picture.inside.push_back(Area{{arrow.to, arrow.along(head, half), arrow.along(head, -half)}, ink});
  room.avoid({arrow.from, arrow.to});
  label_gain(picture, room, arrow, chart.advised->figure, frame);
}

}  // namespace rooftile::scene
