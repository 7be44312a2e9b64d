// The kernel's source with what each line did, of the current point.
#pragma once

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

SourceView source_view(const AppState& state);
// Why the lines of the current launch cannot be counted, in a sentence; empty: they can.
std::optional<std::string> why_no_line_counts(const AppState& state);

}  // namespace rooftile::scene
