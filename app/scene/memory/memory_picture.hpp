// Levels of memory one below the other, each with a bar for the bytes that it moves.
#pragma once

#include "app/scene/picture/chart_picture.hpp"

namespace rooftile::scene {

inline constexpr float rung_height = 38;  // at scale 1, at least

// A bar is as long as its share of the level that moves most; a level whose bytes nobody knows has none.
Drawing memory_picture(const MemoryView& view, const ChartFrame& frame);

}  // namespace rooftile::scene
