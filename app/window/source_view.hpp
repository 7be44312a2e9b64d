// The kernel's source with what each line did, of the current point.
#pragma once

#include "app/window/app_state.hpp"

namespace rooftile::window {

SourceView source_view(const AppState& state);

}  // namespace rooftile::window
