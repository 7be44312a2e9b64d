// The trail of visited points: how the dials of a recording lead to points, and how points lead back to dials;
// and the older choices that Undo brings back.
#pragma once

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// Makes a point the newest of the trail.
void visit(Choice& choice, std::uint64_t id);
// In a recording: visits what is dialled, if it was recorded.
void visit_dialled(AppState& state);
// In a recording: turns the dials to the nearest recorded place, and visits it.
void settle_on_recording(AppState& state);
// In a recording: visits the places of the first dial up to where it stands, so that a trail leads there.
void visit_first_dial(AppState& state);
// Turns kernel, dials and caches to where this point was launched.
void dial_to(AppState& state, const Point& point);
// Likewise, and it is the current one until a dial moves.
void select_launch(AppState& state, const Point& point);
// Before the choice changes: keeps it for Undo, the newest hundred.
void remember(AppState& state);

}  // namespace rooftile::scene
