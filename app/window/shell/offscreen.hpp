// Drawing the frame that Dear ImGui has rendered: to what is bound, or to a picture. A hidden window owns no
// pixels, so pictures are drawn into a buffer of our own.
#pragma once

#include "app/window/shell/window.hpp"

namespace rooftile::window {

void draw_cleared(int width, int height, Rgb background);
Picture draw_offscreen(int width, int height, Rgb background);
void wait_until_drawn();

}  // namespace rooftile::window
