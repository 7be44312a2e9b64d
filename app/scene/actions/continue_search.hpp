// The search for the best place, one launch after the other.
#pragma once

#include <optional>

#include "analysis/manifest/configuration.hpp"
#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// Takes what has landed and says what to launch next. In the end the dials go to the best, if they still belong
// to the kernel and GPU it is for, and a message says what was found.
std::optional<Configuration> continue_search(AppState& state);

}  // namespace rooftile::scene
