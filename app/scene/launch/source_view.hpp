// The kernel's source with what each line did, of the current point.
#pragma once

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

SourceView source_view(const AppState& state);

}  // namespace rooftile::scene
