// The dialled launch, and its steps as far as they were read from its compiled code.
#pragma once

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// Null where nobody launched it.
const Point* launch_here(const AppState& state);

// Null where nobody has read them yet, and where they cannot be read.
const ptx::BlockTrace* steps_here(const AppState& state);

// Why there are none, in a sentence; empty where there are, and where nobody will read them.
std::string why_no_steps(const AppState& state);

// The code to read next: the model of the dialled place, its steps while a picture of them is open, the steps
// that a move of a dial leads to, then models of other places.
std::optional<CodeQuestion> next_to_read(const AppState& state);

}  // namespace rooftile::scene
