// The notes of a session, read as a lesson: a step for each, where the window stands as it stood then.
#pragma once

#include <optional>
#include <string>

#include "analysis/record/note.hpp"
#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

inline constexpr const char* notes_lesson = "notes of this session";  // its id

// Empty where the session has no notes. A note on a kernel that is not here, or on dials that it does not take,
// shows its text alone.
std::optional<Lesson> lesson_of_notes(const AppState& state);
// The note whose step is shown; null where none is.
const Note* shown_note(const AppState& state);
// The note that keeps this text: the one that is shown, else a new one on the place where the window stands.
Note kept_note(const AppState& state, const std::string& text);

}  // namespace rooftile::scene
