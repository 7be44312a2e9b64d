#include "app/scene/paper/drawing.hpp"

#include <cmath>

namespace rooftile::scene {
namespace {

void drop_last_letter(std::string& words) {
  const auto follows = [](char unit) { return (static_cast<unsigned char>(unit) & 0xc0) == 0x80; };
  while (!words.empty() && follows(words.back())) {
    words.pop_back();
  }
  if (!words.empty()) {
    words.pop_back();
  }
}

}  // namespace

Spot between(Spot from, Spot to, float progress) {
  return {from.x + (to.x - from.x) * progress, from.y + (to.y - from.y) * progress};
}

std::string shortened(std::string words, Type type, float width, const Measure& measure) {
  if (measure(type, words).width <= width) {
    return words;
  }
  const std::string ellipsis = "\u2026";
  while (!words.empty() && measure(type, words + ellipsis).width > width) {
    drop_last_letter(words);
  }
  return words + ellipsis;
}

std::array<Spot, 4> corners_of(const Words& words, const Measure& measure) {
  const Size size = measure(words.type, words.text);
  const float left = words.anchor == Anchor::start    ? 0
                     : words.anchor == Anchor::middle ? -size.width / 2
                                                      : -size.width;
  const float cosine = std::cos(words.turn), sine = std::sin(words.turn);
  const auto turned = [&](float x, float y) {
    return Spot{words.at.x + x * cosine - y * sine, words.at.y + x * sine + y * cosine};
  };
  const float right = left + size.width, half = size.height / 2;
  return {turned(left, -half), turned(right, -half), turned(right, half), turned(left, half)};
}

void add_outline(Drawing& drawing, const Rect& place, Ink ink, float width) {
  const float right = place.right(), bottom = place.bottom();
  const std::array<Spot, 5> corners = {
      Spot{place.x, place.y}, {right, place.y}, {right, bottom}, {place.x, bottom}, {place.x, place.y}};
  for (std::size_t i = 1; i < corners.size(); ++i) {
    drawing.push_back(Stroke{corners[i - 1], corners[i], ink, width});
  }
}

}  // namespace rooftile::scene
