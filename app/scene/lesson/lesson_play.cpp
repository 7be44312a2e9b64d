#include "app/scene/lesson/lesson_play.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"
#include "app/scene/lesson/lesson_figures.hpp"

namespace rooftile::scene {
namespace {

std::optional<double> number_in(const std::string& typed) {
  double value = 0;
  const char* end = typed.data() + typed.size();
  const auto [rest, error] = std::from_chars(typed.data(), end, value);
  return error == std::errc() && rest == end && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

// Throws Error where a figure is not known here.
LessonVerdict judged_number(const LessonQuestion& question, const Parameters& figures,
                            const std::string& typed) {
  const auto guess = number_in(typed);
  if (!guess) {
    return {LessonVerdict::Kind::unknown, "Type a number."};
  }
  const double truth = question.number->evaluate(figures);
  const bool right = std::abs(*guess - truth) <= question.tolerance * std::abs(truth);
  return {right ? LessonVerdict::Kind::right : LessonVerdict::Kind::wrong,
          fmt::format("You said {}; here it is {:.3g}.", number(*guess), truth)};
}

LessonVerdict judged_option(const LessonQuestion& question, const Parameters& figures,
                            const std::string& typed) {
  const auto option = std::ranges::find(question.options, typed, &AnswerOption::text);
  if (option == question.options.end()) {
    return {LessonVerdict::Kind::unknown, "Choose an answer."};
  }
  return option->when.evaluate(figures) != 0 ? LessonVerdict{LessonVerdict::Kind::right, "Right."}
                                             : LessonVerdict{LessonVerdict::Kind::wrong, "Not so on this GPU."};
}

LessonVerdict judged_cell(const LessonQuestion& question, const AppState& state, const Parameters& figures) {
  if (!state.view.lesson->picked) {
    return {LessonVerdict::Kind::unknown, "Click on a cell of the picture."};
  }
  return question.click->evaluate(figures) != 0 ? LessonVerdict{LessonVerdict::Kind::right, "Right."}
                                                : LessonVerdict{LessonVerdict::Kind::wrong, "Not this cell."};
}

LessonVerdict judged(const LessonQuestion& question, const AppState& state) {
  const Parameters figures = lesson_figures(state);
  const std::string& typed = state.view.lesson->typed;
  if (question.click) {
    return judged_cell(question, state, figures);
  }
  if (question.number) {
    return judged_number(question, figures, typed);
  }
  if (!question.options.empty()) {
    return judged_option(question, figures, typed);
  }
  return question.launch->evaluate(figures) != 0
             ? LessonVerdict{LessonVerdict::Kind::right, "Right: this launch answers it."}
             : LessonVerdict{LessonVerdict::Kind::wrong, "This launch does not answer it."};
}

}  // namespace

const Lesson* played_lesson(const AppState& state) {
  if (!state.view.lesson) {
    return nullptr;
  }
  const auto lesson = std::ranges::find(state.known.lessons, state.view.lesson->lesson, &Lesson::id);
  return lesson != state.known.lessons.end() ? &*lesson : nullptr;
}

const LessonStep* played_step(const AppState& state) {
  const Lesson* lesson = played_lesson(state);
  return lesson ? &lesson->steps.at(std::min(state.view.lesson->step, lesson->steps.size() - 1)) : nullptr;
}

bool hides_figures(const AppState& state) {
  if (state.view.presentation && state.view.presentation->hides) {
    return true;
  }
  const LessonStep* step = played_step(state);
  return step && step->hides && !state.view.lesson->revealed;
}

bool asks_for_cell(const AppState& state, Panel picture) {
  const LessonStep* step = played_step(state);
  return step && step->question && step->question->click && step->stage && step->stage->panel == picture &&
         !state.view.lesson->revealed;
}

LessonVerdict judged_answer(const AppState& state, const LessonQuestion& question) {
  try {
    return judged(question, state);
  } catch (const Error&) {
    return {LessonVerdict::Kind::unknown,
            "The figure that decides it is not known for this GPU and these dials. Choose a measured GPU."};
  }
}

}  // namespace rooftile::scene
