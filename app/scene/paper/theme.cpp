#include "app/scene/paper/theme.hpp"

#include <algorithm>
#include <cmath>

namespace rooftile::scene {
namespace {

// The level colours are Okabe-Ito hues: told apart by colour-blind people.
constexpr Palette dark = {
    .background = rgb(0x0f1318),
    .panel = rgb(0x161b22),
    .edge = rgb(0x262d37),
    .text = rgb(0xe6e9ee),
    .dim = rgb(0x9aa4b2),
    .faint = rgb(0x5b6675),
    .accent = rgb(0x5aa9ff),
    .on_accent = rgb(0x0f1318),
    .levels = {rgb(0x56b4e9), rgb(0x2fbf9b), rgb(0xc78fd6), rgb(0xf0a63a), rgb(0xe6d94a)},
    .compute = rgb(0xcfd6df),
    .good = rgb(0x2fbf9b),
    .warn = rgb(0xf0a63a),
    .bad = rgb(0xff6b6b),
};

constexpr Palette light = {
    .background = rgb(0xf5f6f8),
    .panel = rgb(0xffffff),
    .edge = rgb(0xdde1e7),
    .text = rgb(0x1a2029),
    .dim = rgb(0x5a6573),
    .faint = rgb(0xa6afbb),
    .accent = rgb(0x0b6bcb),
    .on_accent = rgb(0xffffff),
    .levels = {rgb(0x0072b2), rgb(0x00806a), rgb(0x8a4fa0), rgb(0xb86e00), rgb(0x7d7300)},
    .compute = rgb(0x39424e),
    .good = rgb(0x00806a),
    .warn = rgb(0xb86e00),
    .bad = rgb(0xc0292e),
};

double linear(std::uint8_t channel) {
  const double c = channel / 255.0;
  return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double luminance(Rgb colour) {
  return 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue);
}

}  // namespace

const Palette& palette(Theme theme) {
  return theme == Theme::dark ? dark : light;
}

double contrast(Rgb a, Rgb b) {
  const auto [darker, lighter] = std::minmax({luminance(a), luminance(b)});
  return (lighter + 0.05) / (darker + 0.05);
}

Rgb mix(Rgb from, Rgb to, double share_of_to) {
  const auto channel = [&](std::uint8_t a, std::uint8_t b) {
    return static_cast<std::uint8_t>(std::lround(a + (b - a) * share_of_to));
  };
  return {channel(from.red, to.red), channel(from.green, to.green), channel(from.blue, to.blue)};
}

Rgb readable(Rgb ink, Rgb paper, Rgb towards) {
  for (int step = 0; step < 20; ++step) {
    const Rgb candidate = mix(ink, towards, 0.05 * step);
    if (contrast(candidate, paper) >= text_contrast) {
      return candidate;
    }
  }
  return towards;
}

}  // namespace rooftile::scene
