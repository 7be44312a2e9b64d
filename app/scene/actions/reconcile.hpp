// Chooses where nothing was chosen yet, and where the chosen thing is gone.
#pragma once

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// After every change of what is known, and after Undo: the choice takes the live launches that it does not know
// of, and leaves values, a kernel and a GPU that are gone. A message says which other ones are shown instead.
void reconcile(AppState& state);

// A launch of this session has landed: a fact, which Undo does not take back. True the first time.
bool land_live(AppState& state, std::uint64_t id);

// Chooses a GPU where none is chosen: the device, else the first that was recorded, else the most capable of
// the table, once it is known that there is none.
void choose_gpu(AppState& state);

// Chooses the GPU, the kernel and the first place of the dials, and fits the axes.
void open(AppState& state);

}  // namespace rooftile::scene
