#include "app/window/panels/side_panel.hpp"

namespace rooftile::window {
namespace {

void draw_outcome(const AppState& state, const AdviceOutcome& outcome) {
  write_wrapped(Type::body, words(state, outcome.wrong ? colours(state).bad : colours(state).good),
                outcome.sentence);
}

}  // namespace

void draw_advice(const AppState& state, const Subject& subject, Actions& actions) {
  if (subject.outcome) {
    gap(state, 3);
    draw_outcome(state, *subject.outcome);
  }
  if (!subject.advice) {
    return;
  }
  gap(state, 3);
  write_wrapped(Type::body, colours(state).text, subject.advice->sentence);
  if (ImGui::IsItemHovered() && !subject.advice->facts.empty()) {
    hint(state, subject.advice->facts);
  }
  if (subject.advice->advice.move && button(state, "Set these dials", Press::primary, subject.why_not)) {
    actions.push_back(FollowAdvice{});
  }
}

}  // namespace rooftile::window
