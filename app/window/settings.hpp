// What the window remembers from run to run, as JSON in the user's state folder.
#pragma once

#include <filesystem>

#include "app/window/app_state.hpp"

namespace rooftile::window {

std::filesystem::path settings_file();
// Defaults for what the file does not say or says wrongly: a broken settings file must not keep the window
// shut.
Settings load_settings(const std::filesystem::path& file);
void save_settings(const Settings& settings, const std::filesystem::path& file);

}  // namespace rooftile::window
