// A map of a wrong result. Each cell stands for some elements of the buffer, and is redder if more of them are
// wrong.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "analysis/ptx/trace/block_steps.hpp"
#include "app/scene/picture/chart_picture.hpp"

namespace rooftile::scene {

// Above and below the cells of a tile and of the map beside it, and a line of words there [px].
inline constexpr float tile_head = 52, tile_foot = 20, tile_line = 16;

// The map of the dialled launch. Empty if nobody launched it, or if its result is right. block: gives the part
// of a buffer that one block touches, if its steps were read.
std::optional<WrongMap> wrong_map(
    const AppState& state, const std::function<std::optional<ptx::BufferTile>(const std::string&)>& block);

// Inside the frame's place.
void draw_wrong_map(const WrongMap& map, const ChartFrame& frame, Drawing& drawing);

}  // namespace rooftile::scene
