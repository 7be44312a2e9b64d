#include "app/window/kit/fonts.hpp"

#include <imgui.h>

#include "analysis/text/error.hpp"
#include "app/window/kit/style.hpp"

namespace rooftile::window {

void load_fonts(const std::filesystem::path& directory) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  for (const char* name : font_files) {
    const std::filesystem::path file = directory / name;
    if (!std::filesystem::exists(file) || !atlas.AddFontFromFileTTF(file.c_str(), font_pixels)) {
      throw Error("The font " + file.string() + " is missing: the window needs the fonts of assets/fonts.");
    }
  }
}

}  // namespace rooftile::window
