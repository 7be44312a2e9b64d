// The banks of shared memory that one access of the dialled launch touches.
#pragma once

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// By the model of the dialled place: the manifest's accesses, or those of the compiled code where it states
// none.
BankView bank_view(const AppState& state);

}  // namespace rooftile::scene
