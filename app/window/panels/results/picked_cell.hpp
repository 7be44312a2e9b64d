// A cell of a picture that answers the question of a lesson.
#pragma once

#include "app/scene/lesson/lesson_play.hpp"
#include "app/window/kit/widgets.hpp"

namespace rooftile::window {

inline constexpr const char* cost_is_hidden = "The cost is shown once the question is answered.";

const std::optional<PickedCell>& picked_cell(const AppState& state);
bool is_picked(const AppState& state, const PickedCell& cell);
void outline_picked(const AppState& state, const Rect& place);
// For the cell under the pointer: a thin outline where a click would answer, and the click.
void pick_when_clicked(const AppState& state, const PickedCell& cell, const Rect& place, Actions& actions);

}  // namespace rooftile::window
