// The banks of shared memory that one access of the dialled launch touches.
#pragma once

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// By the model of the dialled place: the manifest's accesses, or those of the compiled code where it states
// none.
// before: the access that was shown, which stays while its banks change; the user's choice goes before it, and
// where neither is there, the dearest is shown.
BankView bank_view(const AppState& state, const std::string& before = {});

}  // namespace rooftile::scene
