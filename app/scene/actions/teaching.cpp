#include "app/scene/actions/teaching.hpp"

#include <algorithm>
#include <iterator>

#include "analysis/manifest/catalogue.hpp"
#include "app/scene/actions/dialling.hpp"
#include "app/scene/lesson/lesson_play.hpp"
#include "app/scene/lesson/notes.hpp"

namespace rooftile::scene {
namespace {

void show_stage(View& view, const std::optional<Stage>& stage) {
  if (stage && stage->panel) {
    show_panel(view, *stage->panel);
  } else if (stage) {
    view.drawer.reset();
  }
}

// A device that measures comes before the GPU of the lesson.
Requests choose_lesson_gpu(AppState& state, const LessonStep& step) {
  const bool known = gpu_called(state, step.gpu) != nullptr;
  const bool chosen = state.choice.gpu == step.gpu || !state.known.session.device.empty();
  return step.gpu.empty() || chosen || !known ? Requests{} : select_gpu(state, step.gpu);
}

Requests set_dials(AppState& state, const LessonStep& step) {
  const bool is_there = step.kernel.empty() || known_kernel(state.known.catalogue, step.kernel);
  if (!step.turns || !is_there) {
    return {};
  }
  Requests requests = step.kernel.empty() ? Requests{} : select_kernel(state, step.kernel);
  const Parameters values = complete(kernel(state), step.dials);
  std::ranges::move(go_to(state, {values, step.caches.value_or(Caches::cold)}), std::back_inserter(requests));
  return requests;
}

Requests begin_step(AppState& state) {
  LessonPlay& play = *state.view.lesson;
  play.typed.clear();
  play.picked.reset();
  play.verdict.reset();
  play.revealed = false;
  const LessonStep& step = *played_step(state);
  Requests requests = choose_lesson_gpu(state, step);
  std::ranges::move(set_dials(state, step), std::back_inserter(requests));
  show_stage(state.view, step.stage);
  state.view.level = step.level.value_or(state.view.level);
  if (step.stage) {
    state.view.steps = {0, step.step.value_or(0), {}};
  }
  state.view.dial = step.dial.empty() ? state.view.dial : step.dial;
  fit_axes(state);
  return requests;
}

}  // namespace

void use_lesson(AppState& state, Lesson lesson) {
  std::erase_if(state.known.lessons, [&](const Lesson& each) { return each.id == lesson.id; });
  state.known.lessons.push_back(std::move(lesson));
}

void follow_notes(AppState& state) {
  if (state.known.notes == state.known.session.log->notes) {
    return;
  }
  state.known.notes = state.known.session.log->notes;
  std::erase_if(state.known.lessons, [](const Lesson& each) { return each.id == notes_lesson; });
  if (auto lesson = lesson_of_notes(state)) {
    use_lesson(state, *std::move(lesson));
  }
  if (auto& play = state.view.lesson; play && play->lesson == notes_lesson && !state.known.notes.empty()) {
    play->step = std::min(play->step, state.known.notes.size() - 1);
  }
}

Requests open_notes(AppState& state) {
  return state.known.notes.empty() || state.view.lesson ? Requests{} : open_lesson(state, notes_lesson);
}

Requests open_lesson(AppState& state, const std::string& id) {
  state.view.lesson = LessonPlay{id};
  if (!played_lesson(state)) {
    close_lesson(state);
    return {};
  }
  const auto reached = state.settings.lessons.find(id);
  state.view.lesson->step = reached != state.settings.lessons.end() ? reached->second : 0;
  fold(state.view, true);
  return turn_lesson(state, 0);
}

void close_lesson(AppState& state) {
  state.view.lesson.reset();
}

Requests turn_lesson(AppState& state, int step) {
  const Lesson* lesson = played_lesson(state);
  if (!lesson) {
    return {};
  }
  const auto last = static_cast<std::ptrdiff_t>(lesson->steps.size()) - 1;
  const auto wanted = static_cast<std::ptrdiff_t>(state.view.lesson->step) + step;
  state.view.lesson->step = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(wanted, 0, last));
  if (lesson->id != notes_lesson) {
    state.settings.lessons[lesson->id] = state.view.lesson->step;
  }
  return begin_step(state);
}

void answer_lesson(AppState& state) {
  const LessonStep* step = played_step(state);
  if (!step || !step->question) {
    return;
  }
  LessonPlay& play = *state.view.lesson;
  play.verdict = judged_answer(state, *step->question);
  if (play.verdict->kind == LessonVerdict::Kind::right) {
    reveal_lesson(state);
  }
}

void reveal_lesson(AppState& state) {
  if (const LessonStep* step = played_step(state)) {
    state.view.lesson->revealed = true;
    show_stage(state.view, step->revealed);
  }
}

}  // namespace rooftile::scene
