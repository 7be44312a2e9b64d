#include "app/scene/picture/picture_advice.hpp"

#include <array>

#include "app/scene/paper/arrow.hpp"

namespace rooftile::scene {
namespace {

constexpr float shortest = 14, gap_at_dot = 11, label_gap = 6;

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
  if (arrow.length() < frame.px(shortest)) {
    return;
  }
  add_arrow(picture.inside, arrow, {frame.colours->accent}, frame.px(1));
  room.avoid({arrow.from, arrow.to});
  label_gain(picture, room, arrow, chart.advised->figure, frame);
}

}  // namespace rooftile::scene
