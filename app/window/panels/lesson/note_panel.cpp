// The field where a note on the present place is written.
#include <imgui_internal.h>  // BringWindowToDisplayFront

#include <algorithm>

#include "app/scene/lesson/notes.hpp"
#include "app/window/panels/panels.hpp"

namespace rooftile::window {
namespace {

constexpr float note_width = 480, note_height = 230, note_top = 100, field_height = 90;

void draw_note_field(const AppState& state, Actions& actions) {
  const TypeScope scope(Type::body);
  if (ImGui::IsWindowAppearing()) {
    ImGui::SetKeyboardFocusHere();
  }
  std::string typed = *state.view.note;
  if (text_area("##note", typed, {ImGui::GetContentRegionAvail().x, px(state, field_height)})) {
    actions.push_back(TypeNote{typed});
  }
}

}  // namespace

void draw_note_panel(const AppState& state, Actions& actions) {
  if (!state.view.note) {
    return;
  }
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const float width = std::min(px(state, note_width), size.x), top = std::min(px(state, note_top), size.y / 4);
  const PanelFrame frame("Note",
                         {(size.x - width) / 2, top, width, std::min(px(state, note_height), size.y - top)},
                         PanelFrame::Style::fitted);
  ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
  const bool is_new = shown_note(state) == nullptr;
  write_heading(state, is_new ? "A note on this place" : "This note");
  write_wrapped(
      Type::small, colours(state).dim,
      is_new ? "The session keeps it with kernel, dials and what is open. Readers turn from note to note."
             : "Without any text the note is removed.");
  draw_note_field(state, actions);
  gap(state, 6);
  if (button(state, "Keep", Press::primary)) {
    actions.push_back(KeepNote{});
  }
  ImGui::SameLine(0, px(state, 10));
  if (button(state, "Cancel", Press::plain)) {
    actions.push_back(DropNote{});
  }
}

}  // namespace rooftile::window
