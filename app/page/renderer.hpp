// Draws what Dear ImGui has laid out, through the browser.
#pragma once

#include <imgui.h>

#include "app/scene/paper/theme.hpp"

namespace rooftile::page {

void render(const ImDrawData& data, scene::Rgb background);

}  // namespace rooftile::page
