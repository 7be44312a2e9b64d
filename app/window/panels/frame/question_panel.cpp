// Which kernel of a source is meant, where it has several or templates.
#include <imgui_internal.h>  // BringWindowToDisplayFront

#include <algorithm>

#include "app/window/panels/panels.hpp"

namespace rooftile::window {
namespace {

constexpr float question_width = 480, question_height = 420, question_top = 120;

void draw_names(const AppState& state, const KernelQuestion& question, Actions& actions) {
  if (question.names.size() < 2) {
    return;
  }
  gap(state, 4);
  for (const std::string& name : question.names) {
    if (button(state, name.c_str(), Press::plain)) {
      actions.push_back(AnswerKernel{name});
    }
    gap(state, 2);
  }
}

void draw_answer(const AppState& state, const KernelQuestion& question, Actions& actions) {
  std::string typed = question.typed;
  {
    const TypeScope scope(Type::figure);
    if (ImGui::IsWindowAppearing()) {
      ImGui::SetKeyboardFocusHere();
    }
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    if (text_field("##kernel", "", typed, ImGuiInputTextFlags_EnterReturnsTrue)) {
      actions.push_back(AnswerKernel{typed});
    } else if (question.typed != typed) {
      actions.push_back(TypeKernel{typed});
    }
  }
  gap(state, 4);
  if (button(state, "Measure it", Press::primary)) {
    actions.push_back(AnswerKernel{typed});
  }
  ImGui::SameLine(0, px(state, 10));
  if (button(state, "Cancel", Press::plain)) {
    actions.push_back(DropQuestion{});
  }
}

}  // namespace

void draw_question_panel(const AppState& state, Actions& actions) {
  if (!state.view.question) {
    return;
  }
  const KernelQuestion& question = *state.view.question;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const float width = std::min(px(state, question_width), size.x),
              top = std::min(px(state, question_top), size.y / 4);
  const PanelFrame frame("Question",
                         {(size.x - width) / 2, top, width, std::min(px(state, question_height), size.y - top)},
                         PanelFrame::Style::fitted);
  ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
  write_heading(state, "Which kernel of " + question.source.filename().string() + "?");
  write_wrapped(Type::small, colours(state).dim,
                "Write the name as in C++. A template needs an instance: reduce<float, 256>");
  draw_answer(state, question, actions);
  if (!question.wrong.empty()) {
    write_wrapped(Type::small, words(state, colours(state).bad), question.wrong);
  }
  draw_names(state, question, actions);  // last: Dear ImGui scrolls to the field, which has the keyboard
}

}  // namespace rooftile::window
