// The fonts of the window, from files.
#pragma once

#include <filesystem>

namespace rooftile::window {

// Throws Error naming the file that is missing.
void load_fonts(const std::filesystem::path& directory);

}  // namespace rooftile::window
