#include "app/window/panels/results/picked_cell.hpp"

namespace rooftile::window {
namespace {

void outline(const AppState& state, const Rect& place, Rgb colour, float width) {
  const float edge = px(state, 1);
  ImGui::GetWindowDrawList()->AddRect({place.x - edge, place.y - edge},
                                      {place.right() + edge, place.bottom() + edge}, ink(colour), px(state, 2),
                                      0, px(state, width));
}

}  // namespace

const std::optional<PickedCell>& picked_cell(const AppState& state) {
  static const std::optional<PickedCell> none;
  return state.view.lesson ? state.view.lesson->picked : none;
}

bool is_picked(const AppState& state, const PickedCell& cell) {
  return picked_cell(state) == cell;
}

void outline_picked(const AppState& state, const Rect& place) {
  outline(state, place, colours(state).text, 3);
}

void pick_when_clicked(const AppState& state, const PickedCell& cell, const Rect& place, Actions& actions) {
  if (!asks_for_cell(state, cell.picture)) {
    return;
  }
  outline(state, place, colours(state).dim, 1);
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    actions.push_back(PickCell{cell});
  }
}

}  // namespace rooftile::window
