// The form for the launch of a kernel of the user's own: what its kernel.toml says, with what was changed and
// is not saved yet.
#pragma once

#include <optional>
#include <string>

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// False for a bundled kernel, and for one that shares its sizes and buffers with others in a problem.toml:
// there nothing can be typed.
bool has_launch_form(const AppState& state);

LaunchForm launch_form(const AppState& state);

// The kernel.toml of the chosen kernel with what was changed. Empty where nothing was changed, or where the
// text is not valid.
std::optional<ManifestEdit> manifest_edit(const AppState& state);
// The given values that the kernel takes: a kernel.toml changes while the window is open.
Parameters accepted(const Manifest& manifest, Parameters given);

}  // namespace rooftile::scene
