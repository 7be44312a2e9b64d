// The colours of both themes as tokens, and the contrast they must reach. No drawing here.
#pragma once

#include <array>
#include <cstdint>

#include "analysis/chip/memory_level.hpp"

namespace rooftile::scene {

struct Rgb {
  std::uint8_t red = 0, green = 0, blue = 0;
  bool operator==(const Rgb&) const = default;
};

constexpr Rgb rgb(std::uint32_t hex) {
  return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8),
          static_cast<std::uint8_t>(hex)};
}

enum class Theme { dark, light };

struct Palette {
  Rgb background, panel, edge;
  Rgb text, dim, faint;   // words; labels and units; what is disabled
  Rgb accent, on_accent;  // what can be pressed or is selected, and words on it
  std::array<Rgb, memory_levels.size()>
      levels;   // DRAM, L2, L1, shared, distributed: roof, dot, bar, table, text
  Rgb compute;  // compute roofs
  Rgb good, warn, bad;

  Rgb level(MemoryLevel memory) const { return levels[static_cast<std::size_t>(memory)]; }
};

const Palette& palette(Theme theme);

// Between 1 and 21, as WCAG 2.1 defines it.
double contrast(Rgb a, Rgb b);

Rgb mix(Rgb from, Rgb to, double share_of_to);

inline constexpr double text_contrast = 4.5;
inline constexpr double line_contrast = 3.0;

// `ink`, taken towards `towards` just so far that words in it read on `paper`.
Rgb readable(Rgb ink, Rgb paper, Rgb towards);

}  // namespace rooftile::scene
