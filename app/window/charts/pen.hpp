// Draws what the scene has laid out, with Dear ImGui.
#pragma once

#include "app/scene/paper/drawing.hpp"
#include "app/window/kit/style.hpp"

namespace rooftile::window {

void draw(ImDrawList& list, const Drawing& drawing);
// The room that text takes in the fonts of the window.
Measure window_measure();

}  // namespace rooftile::window
