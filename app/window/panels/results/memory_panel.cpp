// The ladder from the registers to DRAM, with the bytes of the launch.
#include <algorithm>

#include "app/scene/memory/memory_picture.hpp"
#include "app/window/charts/charts.hpp"
#include "app/window/charts/pen.hpp"
#include "app/window/panels/lower_panel.hpp"

namespace rooftile::window {

void draw_memory(const AppState& state) {
  const MemoryView& view = state.derived.shown.memory;
  ImGui::NewLine();
  if (!view.notice.empty()) {
    return write_wrapped(Type::body, colours(state).dim, view.notice);
  }
  write_wrapped(Type::body, colours(state).dim, view.sentence);
  gap(state, 6);
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float least = px(state, rung_height) * static_cast<float>(view.rungs.size());
  ChartFrame frame = frame_here(state);
  frame.place = {at.x, at.y, room.x, std::max(room.y, least)};
  draw(*ImGui::GetWindowDrawList(), memory_picture(view, frame));
  ImGui::Dummy({room.x, least});
}

}  // namespace rooftile::window
