#include "app/scene/lesson/notes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/manifest/catalogue.hpp"
#include "analysis/text/safe_text.hpp"
#include "app/scene/lesson/lesson_play.hpp"

namespace rooftile::scene {
namespace {

Prose prose_of_note(std::string_view text) {
  Prose prose;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) {
      prose.push_back({Paragraph::Kind::text, visible_text(text.substr(0, end))});
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return prose;
}

// A session may come from a stranger, or from a rooftile with other kernels.
bool is_place_of(const Manifest& kernel, const Parameters& values) {
  return std::ranges::all_of(values,
                             [&](const auto& value) {
                               const Parameter* parameter = kernel.parameter(value.first);
                               return parameter && parameter->accepts(value.second);
                             }) &&
         !why_illegal(kernel, complete(kernel, values));
}

std::optional<Stage> stage_of(const Note& note) {
  const auto panel =
      std::ranges::find(panels, note.panel, [](const PanelWords& each) { return std::string(each.word); });
  return panel != std::end(panels) ? Stage{panel->panel} : Stage{};
}

LessonStep step_of(const AppState& state, const Note& note, std::size_t number) {
  LessonStep step;
  step.title = fmt::format("Note {}", number);
  step.text = prose_of_note(note.text);
  const Manifest* kernel = known_kernel(state.known.catalogue, note.kernel);
  if (!kernel || !is_place_of(*kernel, note.parameters)) {
    step.text.push_back(
        {Paragraph::Kind::text, fmt::format("Its place is not here: {}.", visible_text(note.kernel))});
    return step;
  }
  step.kernel = note.kernel;
  step.gpu = note.gpu;
  step.dials = note.parameters;
  step.caches = note.caches;
  step.level = note.level;
  step.dial = kernel->parameter(note.dial) ? note.dial : "";
  step.stage = stage_of(note);
  step.turns = true;
  return step;
}

// The panel of a small window, else the tab below the chart.
std::string open_panel(const View& view) {
  const std::optional<Panel> panel = view.folded ? view.drawer : std::optional(view.lower);
  return panel ? words_of(*panel).word : "";
}

}  // namespace

std::optional<Lesson> lesson_of_notes(const AppState& state) {
  const std::vector<Note>& notes = state.known.session.log->notes;
  if (notes.empty()) {
    return std::nullopt;
  }
  Lesson lesson{notes_lesson, "Notes of this session", {}, {}, {}};
  for (const Note& note : notes) {
    lesson.steps.push_back(step_of(state, note, lesson.steps.size() + 1));
  }
  return lesson;
}

const Note* shown_note(const AppState& state) {
  const std::vector<Note>& notes = state.known.session.log->notes;
  const bool shown = state.view.lesson && state.view.lesson->lesson == notes_lesson;
  return shown && state.view.lesson->step < notes.size() ? &notes[state.view.lesson->step] : nullptr;
}

Note kept_note(const AppState& state, const std::string& text) {
  const std::vector<Note>& notes = state.known.session.log->notes;
  if (const Note* shown = shown_note(state)) {
    Note note = *shown;
    note.text = text;
    return note;
  }
  return {notes.empty() ? 1 : notes.back().id + 1,
          text,
          state.choice.kernel,
          state.choice.gpu,
          dialled(state),
          state.choice.caches,
          state.view.level,
          state.view.dial,
          open_panel(state.view)};
}

}  // namespace rooftile::scene
