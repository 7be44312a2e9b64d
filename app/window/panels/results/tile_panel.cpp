// Draws what one block touches, step by step.
#include <algorithm>

#include "app/scene/tile/tile_picture.hpp"
#include "app/window/charts/charts.hpp"
#include "app/window/charts/pen.hpp"
#include "app/window/panels/lower_panel.hpp"

namespace rooftile::window {
namespace {

constexpr float lowest_tiles = 150;

}  // namespace

void draw_tile(const AppState& state, Actions& actions) {
  const TileView& view = state.derived.shown.tile;
  if (!view.notice.empty()) {
    ImGui::NewLine();
    return write_wrapped(Type::body, colours(state).dim, view.notice);
  }
  draw_step_controls(state, view.warp, view.warps, view.step, view.steps, actions);
  write_wrapped(Type::body, colours(state).dim, view.sentence);
  gap(state, 4);
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  ChartFrame frame = frame_here(state);
  frame.place = {at.x, at.y, room.x, std::max(room.y, px(state, lowest_tiles))};
  draw(*ImGui::GetWindowDrawList(), tile_picture(view, frame));
  ImGui::Dummy({room.x, frame.place.height});
}

}  // namespace rooftile::window
