// The lesson that is played: where it stands, and whether an answer is right.
#pragma once

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// Null where none is played, or where its file is gone.
const Lesson* played_lesson(const AppState& state);
const LessonStep* played_step(const AppState& state);
// The figures of the launch are withheld until the class has answered, or as long as a presentation hides them.
bool hides_figures(const AppState& state);
// Whether the step waits for a click on a cell of this picture.
bool asks_for_cell(const AppState& state, Panel picture);
// Judges what was typed, pressed or turned to by the figures of the launch that is shown. While a lesson is
// played.
LessonVerdict judged_answer(const AppState& state, const LessonQuestion& question);

}  // namespace rooftile::scene
