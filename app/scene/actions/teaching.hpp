// Plays a lesson: opens it, turns its steps, answers its questions. A step that turns the dials says what is
// launched there.
#pragma once

#include <string>

#include "app/scene/actions/requests.hpp"
#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// One more to choose from; a lesson of the same name is replaced.
void use_lesson(AppState& state, Lesson lesson);

// The notes of the session as a lesson, while it has some.
void follow_notes(AppState& state);
// Opens them where the session has some and no lesson is played.
Requests open_notes(AppState& state);

// Goes on at the step where it was left; notes begin anew.
Requests open_lesson(AppState& state, const std::string& id);
void close_lesson(AppState& state);
Requests turn_lesson(AppState& state, int step);
// With what was typed or pressed, or with the launch that is shown.
void answer_lesson(AppState& state);
void reveal_lesson(AppState& state);

}  // namespace rooftile::scene
