// The banks of shared memory, or the sectors of global memory, under one access of the kernel.
#include <algorithm>

#include "app/scene/access/access_picture.hpp"
#include "app/window/charts/charts.hpp"
#include "app/window/charts/pen.hpp"
#include "app/window/kit/marks.hpp"
#include "app/window/panels/lower_panel.hpp"
#include "app/window/panels/results/picked_cell.hpp"

namespace rooftile::window {
namespace {

constexpr float lowest_picture = 90;

void draw_accesses(const AppState& state, const AccessView& view, Actions& actions) {
  if (chip(state, view.access.c_str(), colours(state).accent, false)) {
    ImGui::OpenPopup("accesses");
  }
  if (!begin_menu(state, "accesses")) {
    return;
  }
  for (const std::string& access : view.accesses) {
    if (menu_row(access.c_str(), access == view.access)) {
      actions.push_back(SelectAccess{access});
    }
  }
  end_menu();
}

bool is_in(const Rect& place, ImVec2 at) {
  return at.x >= place.x && at.x < place.right() && at.y >= place.y && at.y < place.bottom();
}

void draw_picture(const AppState& state, const AccessView& view, Actions& actions) {
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const ImVec2 size{room.x, std::max(room.y, px(state, lowest_picture))};
  ChartFrame frame = frame_here(state);
  frame.place = {at.x, at.y, size.x, size.y};
  const AccessPicture picture = access_picture(view, frame);
  draw(*ImGui::GetWindowDrawList(), picture.drawing);
  ImGui::InvisibleButton("words", size);
  const auto cell = std::ranges::find_if(
      picture.cells, [](const AccessCell& each) { return is_in(each.place, ImGui::GetIO().MousePos); });
  const Panel panel = view.in_sectors ? Panel::sectors : Panel::banks;
  for (const AccessCell& each : picture.cells) {
    if (is_picked(state, {panel, 0, each.word})) {
      outline_picked(state, each.place);
    }
  }
  if (!ImGui::IsItemHovered() || cell == picture.cells.end()) {
    return;
  }
  if (!cell->facts.empty()) {
    hint(state, cell->facts);
  }
  pick_when_clicked(state, {panel, 0, cell->word}, cell->place, actions);
}

}  // namespace

void draw_access(const AppState& state, const AccessView& view, Actions& actions) {
  if (!view.notice.empty()) {
    ImGui::NewLine();
    write_wrapped(Type::body, colours(state).dim, view.notice);
    return;
  }
  draw_accesses(state, view, actions);
  if (view.warps > 0) {
    ImGui::SameLine(0, px(state, 16));
    draw_step_controls(state, view.warp, view.warps, view.step, view.steps, actions);
  }
  write_wrapped(Type::body, colours(state).dim,
                view.hides                   ? cost_is_hidden
                : view.step_sentence.empty() ? view.sentence
                                             : view.step_sentence + " " + view.sentence);
  gap(state, 4);
  draw_picture(state, view, actions);
}

}  // namespace rooftile::window
