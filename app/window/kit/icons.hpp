// Small pictures of what the rail opens, drawn with lines: no font holds them.
#pragma once

#include "app/window/kit/style.hpp"

namespace rooftile::window {

// In a square of that side about the centre.
void draw_icon(ImDrawList& draw, Panel panel, ImVec2 centre, float side, ImU32 colour);

}  // namespace rooftile::window
