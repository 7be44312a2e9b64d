#include "app/window/kit/marks.hpp"
#include "app/window/panels/side_panel.hpp"

namespace rooftile::window {
namespace {

void draw_state(const AppState& state, Check::State passed, ImVec2 centre) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const Palette& token = colours(state);
  const float size = px(state, 12);
  switch (passed) {
    case Check::State::passed:
      draw_check(draw, centre, size, ink(token.good));
      break;
    case Check::State::failed:
      draw_cross(draw, centre, size, ink(token.bad));
      break;
    case Check::State::unknown:
      draw.AddLine({centre.x - size * 0.3f, centre.y}, {centre.x + size * 0.3f, centre.y}, ink(token.dim),
                   size * 0.14f);
      break;
  }
}

void draw_check_line(const AppState& state, const Check& check) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_state(state, check.state, {at.x + px(state, 6), at.y + px(state, 9)});
  ImGui::Indent(px(state, 20));
  write_wrapped(Type::body, check.state == Check::State::failed ? colours(state).bad : colours(state).dim,
                check.sentence);
  if (ImGui::IsItemHovered() && !check.meaning.empty()) {
    hint(state, check.meaning);
  }
  ImGui::Unindent(px(state, 20));
}

}  // namespace

void draw_proof(const AppState& state, const Subject& subject) {
  if (subject.checks.empty()) {
    write_wrapped(Type::body, colours(state).dim, "Only launches that were measured are checked.");
  }
  for (const Check& check : subject.checks) {
    draw_check_line(state, check);
  }
  for (const std::string& note : subject.point.notes) {
    draw_check_line(state, {Check::State::unknown, note});
  }
}

}  // namespace rooftile::window
