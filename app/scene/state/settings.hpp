// What the window remembers from run to run, as JSON.
#pragma once

#include <string>
#include <string_view>

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// Defaults for what the text does not say or says wrongly: broken settings must not keep the window shut.
Settings settings_of(std::string_view json);
std::string to_json(const Settings& settings);

}  // namespace rooftile::scene
