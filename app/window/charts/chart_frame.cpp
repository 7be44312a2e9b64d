#include <algorithm>
#include <cmath>

#include "app/scene/chart/chart_rows.hpp"
#include "app/window/charts/charts.hpp"
#include "app/window/charts/pen.hpp"

namespace rooftile::window {
namespace {

// 0 at the start of a move, 1 when it is over: fast at first.
float progress_of(const Motion& motion, double now) {
  const double left = 1 - std::clamp((now - motion.started) / motion_seconds, 0.0, 1.0);
  return static_cast<float>(1 - left * left * left);
}

}  // namespace

ChartFrame frame_here(const AppState& state) {
  const ImVec2 at = ImGui::GetCursorScreenPos(), size = ImGui::GetContentRegionAvail();
  return {{at.x, at.y, size.x, size.y}, state.settings.scale, &colours(state), window_measure()};
}

ChartLook look_of(const AppState& state) {
  ChartLook look{.level = state.view.level};
  look.one_level = state.view.ladder && state.derived.shown.chart.kind != ChartKind::shares;
  look.pointed = state.view.pointed;
  look.selected = state.view.selection;
  if (const auto& motion = state.view.motion) {
    look.moving = Moving{&motion->from, progress_of(*motion, state.now)};
  }
  return look;
}

std::optional<DrawnRectangle> rectangle_drawn(const AppState& state, const Rect& within) {
  const ImGuiIO& io = ImGui::GetIO();
  const ImVec2 from = io.MouseClickedPos[0], to = io.MousePos;
  const bool begun_here =
      from.x >= within.x && from.x <= within.right() && from.y >= within.y && from.y <= within.bottom();
  const bool finished = ImGui::IsMouseReleased(ImGuiMouseButton_Left);
  if (!io.KeyShift || !begun_here || !(ImGui::IsMouseDown(ImGuiMouseButton_Left) || finished)) {
    return std::nullopt;
  }
  const Rect place{std::min(from.x, to.x), std::min(from.y, to.y), std::abs(to.x - from.x),
                   std::abs(to.y - from.y)};
  ImDrawList& draw = *ImGui::GetForegroundDrawList();
  draw.AddRectFilled({place.x, place.y}, {place.right(), place.bottom()}, ink(colours(state).accent, 0.12f));
  draw.AddRect({place.x, place.y}, {place.right(), place.bottom()}, ink(colours(state).accent));
  return DrawnRectangle{place, finished};
}

bool take_dot_input(const AppState& state, const ChartPicture& picture, Actions& actions) {
  const ImVec2 pointer = ImGui::GetIO().MousePos;
  const PlacedDot* dot = dot_at(picture, {pointer.x, pointer.y}, px(state, 3));
  if (dot) {
    hint(state, dot_facts(state, dot->launch, dot->level));
    actions.push_back(PointAt{dot->launch});
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
      actions.push_back(SelectPoint{dot->launch});
    }
  }
  return dot != nullptr;
}

}  // namespace rooftile::window
