// The kernels as the list shows them: by group, each with its best recorded figure.
#pragma once

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// The group of the chosen kernel is open, and whatever the user has opened.
bool is_open(const AppState& state, const std::string& group);

// Like with like: of each kernel the fastest launch of the problem that is dialled (the same sizes and
// variants, as far as it has them) on the chosen GPU, with the chosen caches.
std::vector<KernelGroup> kernel_groups(const AppState& state, const Roofs& roofs);

}  // namespace rooftile::scene
