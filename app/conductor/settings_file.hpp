// The settings of the window, kept in the user's state folder.
#pragma once

#include <filesystem>

#include "app/scene/state/app_state.hpp"

namespace rooftile::conductor {

std::filesystem::path settings_file();                             // empty where there is no such folder
scene::Settings load_settings(const std::filesystem::path& file);  // defaults where there is no such file
void save_settings(const scene::Settings& settings, const std::filesystem::path& file);

}  // namespace rooftile::conductor
