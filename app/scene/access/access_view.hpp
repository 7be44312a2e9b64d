// The words that one access of the dialled launch touches: in the banks of shared memory, or in the sectors of
// global memory.
#pragma once

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// By the model of the dialled place: the manifest's accesses, or those of the compiled code where it states
// none.
// before: the access that was shown, which stays while its words move; the user's choice goes before it, and
// where neither is there, the dearest is shown.
AccessView bank_view(const AppState& state, const std::string& before = {});
AccessView sector_view(const AppState& state, const std::string& before = {});

}  // namespace rooftile::scene
