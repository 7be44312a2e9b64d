// Works out again what is shown, as far as it was made from something that has changed.
#pragma once

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// After a change of what is known or chosen. Starts the animation of a point that has moved.
void refresh(AppState& state);
// After a change of the view alone: only what depends on it and is looked at.
void refresh_look(AppState& state);
// Goes to the step that is due while the steps of a picture are played. True if there is something new to draw.
bool play_steps(AppState& state);

}  // namespace rooftile::scene
