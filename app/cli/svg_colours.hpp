// The light theme, as the window has it.
#pragma once

#include "analysis/memory_level.hpp"

namespace rooftile::cli {

inline constexpr const char* page = "#f5f6f8";
inline constexpr const char* panel = "#ffffff";
inline constexpr const char* edge = "#dde1e7";
inline constexpr const char* minor_grid = "#f0f2f5";
inline constexpr const char* words = "#1a2029";
inline constexpr const char* dim = "#5a6573";
inline constexpr const char* compute_colour = "#39424e";
inline constexpr const char* bad = "#c0292e";

constexpr const char* colour(MemoryLevel level) {
  switch (level) {
    case MemoryLevel::dram:
      return "#0072b2";
    case MemoryLevel::l2:
      return "#00806a";
    case MemoryLevel::l1:
      return "#8a4fa0";
    case MemoryLevel::shared:
      return "#b86e00";
    case MemoryLevel::distributed:
      break;
  }
  return "#7d7300";
}

}  // namespace rooftile::cli
