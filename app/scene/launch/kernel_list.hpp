// The kernels as the list shows them: by group, each with its best recorded figure.
#pragma once

#include <map>
#include <string_view>

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// True for the group of the chosen kernel, and for the groups that the user has opened.
bool is_open(const AppState& state, const std::string& group);

// The fastest launch of each kernel on the chosen GPU with the chosen caches, for the problem that its group is
// compared by.
std::map<std::string_view, const Point*> fastest_launches(const AppState& state);

// Compares like with like: for each kernel the fastest launch of the dialled problem (the same sizes and
// variants, as far as it has them) on the chosen GPU, with the chosen caches.
std::vector<KernelGroup> kernel_groups(const AppState& state, const Roofs& roofs);

}  // namespace rooftile::scene
