// The picture that is open as a page of its own: an SVG with the kernel, its dials and the words of the
// picture.
#pragma once

#include <optional>
#include <string>

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// Whether a picture is open that can stand on a page: banks, sectors, tile or
// memory, and there is something to see.
bool has_picture_page(const AppState& state);
// Empty where there is none. In the theme of the window, and as high as its rows are.
std::string picture_page(const AppState& state);

}  // namespace rooftile::scene
