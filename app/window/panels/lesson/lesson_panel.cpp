// The left column while a lesson is played: the step's text, its question, and the way through the steps.
#include <algorithm>
#include <string>

#include "app/scene/lesson/lesson_play.hpp"
#include "app/scene/lesson/lesson_prose.hpp"
#include "app/window/kit/marks.hpp"
#include "app/window/panels/panels.hpp"

namespace rooftile::window {
namespace {

constexpr float foot_height = 62;
constexpr float between_paragraphs = 8, item_indent = 14, ring_width = 18;

Type type_of(ProseRun::Style style) {
  return style == ProseRun::Style::code     ? Type::figure
         : style == ProseRun::Style::strong ? Type::figure_strong
                                            : Type::body;
}

// Sets words of several types side by side and breaks the line where the next word does not fit.
class WordSetter {
 public:
  WordSetter(const AppState& state, float left)
      : state_(state), left_(left), right_(ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x) {
    at_ = ImGui::GetCursorScreenPos();
    at_.x = left;
  }

  void set(const ProseRun& run) {
    const Type type = type_of(run.style);
    const Rgb colour =
        run.style == ProseRun::Style::plain ? colours(state_).text : words(state_, colours(state_).accent);
    for (std::size_t from = 0; from < run.text.size();) {
      const std::size_t end = std::min(run.text.find(' ', from), run.text.size());
      set_word(type, colour, run.text.substr(from, end - from));
      at_.x += end < run.text.size() ? text_size(type, " ").x : 0;
      from = end + 1;
    }
  }

  void end() {
    ImGui::SetCursorScreenPos({ImGui::GetWindowPos().x + ImGui::GetStyle().WindowPadding.x, at_.y});
    ImGui::Dummy({1, line_});
  }

 private:
  void set_word(Type type, Rgb colour, const std::string& word) {
    const ImVec2 size = text_size(type, word);
    line_ = std::max(line_, size.y);
    if (at_.x + size.x > right_ && at_.x > left_) {
      at_ = {left_, at_.y + line_ + px(state_, 3)};
    }
    draw_text(*ImGui::GetWindowDrawList(), at_, type, ink(colour), word);
    at_.x += size.x;
  }

  const AppState& state_;
  float left_, right_, line_ = 0;
  ImVec2 at_;
};

void draw_paragraph(const AppState& state, const Paragraph& paragraph) {
  if (paragraph.kind == Paragraph::Kind::code) {
    return write_wrapped(Type::figure_small, colours(state).text, paragraph.text);
  }
  const bool item = paragraph.kind == Paragraph::Kind::item;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (item) {
    draw_text(*ImGui::GetWindowDrawList(), at, Type::body, ink(colours(state).dim), "-");
  }
  WordSetter setter(state, at.x + (item ? px(state, item_indent) : 0));
  for (const ProseRun& run : prose_runs(paragraph.text)) {
    setter.set(run);
  }
  setter.end();
}

void draw_prose(const AppState& state, const Prose& prose) {
  for (const Paragraph& paragraph : prose) {
    draw_paragraph(state, paragraph);
    gap(state, between_paragraphs);
  }
}

// A ring says that the line can be pressed.
void draw_ring(const AppState& state, ImVec2 at, bool pressed) {
  const ImVec2 centre{at.x + px(state, 6), at.y + ImGui::GetTextLineHeight() / 2};
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddCircle(centre, px(state, 5), ink(colours(state).dim), 0, px(state, 1.4f));
  if (pressed) {
    draw.AddCircleFilled(centre, px(state, 3), ink(colours(state).accent));
  }
}

void draw_options(const AppState& state, const LessonQuestion& question, Actions& actions) {
  for (const AnswerOption& option : question.options) {
    const bool pressed = option.text == state.view.lesson->typed;
    draw_ring(state, ImGui::GetCursorScreenPos(), pressed);
    ImGui::Indent(px(state, ring_width));
    if (wrapped_row(option.text, pressed)) {
      actions.push_back(TypeAnswer{option.text});
    }
    ImGui::Unindent(px(state, ring_width));
  }
}

void draw_answer(const AppState& state, const LessonQuestion& question, Actions& actions) {
  if (!question.options.empty()) {
    return draw_options(state, question, actions);
  }
  if (!question.number) {
    return write_wrapped(Type::body, colours(state).dim,
                         question.click ? "Click on a cell of the picture."
                                        : "Move the dial, or click on the chart or the map.");
  }
  std::string typed = state.view.lesson->typed;
  if (text_field("##answer", "your number", typed)) {
    actions.push_back(TypeAnswer{typed});
  }
}

void draw_verdict(const AppState& state) {
  const LessonVerdict& verdict = *state.view.lesson->verdict;
  const Palette& token = colours(state);
  const Rgb colour = verdict.kind == LessonVerdict::Kind::right   ? token.good
                     : verdict.kind == LessonVerdict::Kind::wrong ? token.warn
                                                                  : token.dim;
  write_wrapped(Type::body, words(state, colour), verdict.sentence);
  gap(state, between_paragraphs);
}

void draw_question(const AppState& state, const LessonQuestion& question, Actions& actions) {
  rule(state);
  write_wrapped(Type::heading, colours(state).text, question.text);
  gap(state, 4);
  draw_answer(state, question, actions);
  gap(state, 4);
  if (button(state, "Answer", Press::primary)) {
    actions.push_back(AnswerQuestion{});
  }
  if (!state.view.lesson->revealed) {
    ImGui::SameLine(0, px(state, 8));
    if (button(state, "Show the answer", Press::plain)) {
      actions.push_back(RevealAnswer{});
    }
  }
  gap(state, between_paragraphs);
  if (state.view.lesson->verdict) {
    draw_verdict(state);
  }
}

// The panel that the step is about, where the class has closed it.
void draw_way_to_panel(const AppState& state, const LessonStep& step, Actions& actions) {
  const auto& stage = state.view.lesson->revealed && step.revealed ? step.revealed : step.stage;
  if (!stage || !stage->panel || is_open(state.view, *stage->panel)) {
    return;
  }
  if (button(state, (std::string("Show ") + words_of(*stage->panel).title).c_str(), Press::plain)) {
    actions.push_back(ShowPanel{*stage->panel});
  }
  gap(state, between_paragraphs);
}

void draw_step(const AppState& state, const LessonStep& step, Actions& actions) {
  write_wrapped(Type::title, colours(state).text, step.title);
  gap(state, 4);
  draw_prose(state, step.text);
  draw_way_to_panel(state, step, actions);
  if (step.question) {
    draw_question(state, *step.question, actions);
  }
  if (state.view.lesson->revealed) {
    draw_prose(state, step.after);
  }
}

void draw_dots(const AppState& state, std::size_t steps, ImVec2 at, float width) {
  const float between = std::min(px(state, 14), width / static_cast<float>(steps));
  const float left = at.x + (width - between * static_cast<float>(steps - 1)) / 2;
  for (std::size_t i = 0; i < steps; ++i) {
    const Rgb colour = i <= state.view.lesson->step ? colours(state).accent : colours(state).faint;
    ImGui::GetWindowDrawList()->AddCircleFilled({left + between * static_cast<float>(i), at.y}, px(state, 3.5f),
                                                ink(colour));
  }
}

// At the same place on every step.
void draw_way(const AppState& state, const Lesson& lesson, const Rect& place, Actions& actions) {
  const float x = ImGui::GetCursorScreenPos().x, width = ImGui::GetContentRegionAvail().x;
  const float y = place.bottom() - px(state, foot_height - 8);
  draw_dots(state, lesson.steps.size(), {x, y}, width);
  ImGui::SetCursorScreenPos({x, y + px(state, 12)});
  const bool first = state.view.lesson->step == 0, last = state.view.lesson->step + 1 == lesson.steps.size();
  if (button(state, "Back", Press::plain,
             first ? std::optional<std::string>("This is the first step.") : std::nullopt)) {
    actions.push_back(TurnLesson{-1});
  }
  const char* next = last ? "End" : "Next";
  ImGui::SameLine();
  ImGui::SetCursorScreenPos({x + width - button_width(state, next), y + px(state, 12)});
  if (button(state, next, Press::primary)) {
    actions.push_back(last ? Action(CloseLesson{}) : Action(TurnLesson{1}));
  }
}

}  // namespace

void draw_lesson(const AppState& state, const Rect& place, Actions& actions) {
  const PanelFrame frame("Lesson", place);
  const Lesson* lesson = played_lesson(state);
  if (!lesson) {
    actions.push_back(CloseLesson{});
    return;
  }
  write(Type::small, colours(state).dim, elided(Type::small, lesson->title, ImGui::GetContentRegionAvail().x));
  ImGui::BeginChild("text", {0, ImGui::GetContentRegionAvail().y - px(state, foot_height)});
  draw_step(state, *played_step(state), actions);
  ImGui::EndChild();
  draw_way(state, *lesson, place, actions);
}

}  // namespace rooftile::window
