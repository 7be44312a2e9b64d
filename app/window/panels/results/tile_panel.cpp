// Draws what one block touches, step by step.
#include <algorithm>

#include "app/scene/tile/tile_picture.hpp"
#include "app/window/charts/charts.hpp"
#include "app/window/charts/pen.hpp"
#include "app/window/panels/lower_panel.hpp"
#include "app/window/panels/results/picked_cell.hpp"

namespace rooftile::window {
namespace {

constexpr float lowest_tiles = 150;

void pick_elements(const AppState& state, const TilePicture& picture, bool hovered, Actions& actions) {
  const ImVec2 pointer = ImGui::GetIO().MousePos;
  for (std::size_t i = 0; i < picture.tiles.size(); ++i) {
    const PlacedTile& tile = picture.tiles[i];
    if (const auto& picked = picked_cell(state); picked && is_picked(state, {Panel::tile, i, picked->cell})) {
      outline_picked(state, tile.cell(picked->cell));
    }
    if (const auto cell = tile.cell_at({pointer.x, pointer.y}); cell && hovered) {
      pick_when_clicked(state, {Panel::tile, i, *cell}, tile.cell(*cell), actions);
    }
  }
}

}  // namespace

void draw_tile(const AppState& state, Actions& actions) {
  const TileView& view = state.derived.shown.tile;
  if (!view.notice.empty()) {
    ImGui::NewLine();
    write_wrapped(Type::body, colours(state).dim, view.notice);
    if (!view.wrong) {
      return;
    }
  } else {
    draw_step_controls(state, view.warp, view.warps, view.step, view.steps, actions);
    write_wrapped(Type::body, colours(state).dim, view.hides ? cost_is_hidden : view.sentence);
  }
  gap(state, 4);
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  ChartFrame frame = frame_here(state);
  frame.place = {at.x, at.y, room.x, std::max(room.y, px(state, lowest_tiles))};
  const TilePicture picture = tile_picture(view, frame);
  draw(*ImGui::GetWindowDrawList(), picture.drawing);
  ImGui::InvisibleButton("elements", {room.x, frame.place.height});
  pick_elements(state, picture, ImGui::IsItemHovered(), actions);
}

}  // namespace rooftile::window
