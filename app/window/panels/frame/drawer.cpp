// What the rail has opened: it covers the chart, and goes by the same press, its cross or Escape.
#include "app/window/kit/marks.hpp"
#include "app/window/panels/kernel/kernel_panel.hpp"
#include "app/window/panels/lower_panel.hpp"
#include "app/window/panels/panels.hpp"
#include "app/window/panels/side_panel.hpp"

namespace rooftile::window {
namespace {

bool is_wide(Drawer drawer) {
  return drawer == Drawer::points || drawer == Drawer::map || drawer == Drawer::why ||
         drawer == Drawer::source || drawer == Drawer::roofs || drawer == Drawer::curves ||
         drawer == Drawer::launch;
}

const char* title_of(Drawer drawer) {
  switch (drawer) {
    case Drawer::kernels:
      return "Kernels";
    case Drawer::dials:
      return "Dials";
    case Drawer::points:
      return "Points";
    case Drawer::map:
      return "Map";
    case Drawer::why:
      return "Why";
    case Drawer::source:
      return "Source";
    case Drawer::roofs:
      return "Roofs";
    case Drawer::curves:
      return "Occupancy";
    case Drawer::launch:
      return "Launch";
    case Drawer::shares:
      return "Shares of the roofs";
    case Drawer::occupancy:
      return "Occupancy of one SM";
    case Drawer::proof:
      break;
  }
  return "Proof";
}

// In the corner, without taking a line.
void draw_close(const AppState& state, const Rect& place, Drawer drawer, Actions& actions) {
  const ImVec2 before = ImGui::GetCursorScreenPos();
  const float side = px(state, 26);
  const ImVec2 at{place.right() - side - px(state, 6), place.y + px(state, 6)};
  ImGui::SetCursorScreenPos(at);
  if (ImGui::InvisibleButton("close", {side, side})) {
    actions.push_back(ToggleDrawer{drawer});
  }
  const Rgb colour = ImGui::IsItemHovered() ? colours(state).text : colours(state).dim;
  draw_cross(*ImGui::GetWindowDrawList(), {at.x + side / 2, at.y + side / 2}, px(state, 13), ink(colour));
  ImGui::SetCursorScreenPos(before);
}

void draw_content(const AppState& state, Drawer drawer, Actions& actions) {
  const auto of_subject = [&](auto draw) {
    if (state.derived.shown.subject) {
      draw(state, *state.derived.shown.subject);
    }
  };
  switch (drawer) {
    case Drawer::kernels:
      return draw_kernels(state, ImGui::GetContentRegionAvail().y, actions);
    case Drawer::dials:
      return draw_dials(state, actions);
    case Drawer::points:
      return draw_points(state, actions);
    case Drawer::map:
      return draw_map(state, actions);
    case Drawer::why:
      return draw_why(state);
    case Drawer::source:
      return draw_source(state, actions);
    case Drawer::roofs:
      return draw_roofs_table(state, actions);
    case Drawer::curves:
      return draw_curves(state, actions);
    case Drawer::launch:
      return draw_launch_form(state, actions);
    case Drawer::shares:
      of_subject(draw_verdict);
      return of_subject(
          [&](const AppState& now, const Subject& subject) { draw_advice(now, subject, actions); });
    case Drawer::occupancy:
      return of_subject(draw_occupancy);
    case Drawer::proof:
      return of_subject(draw_proof);
  }
}

}  // namespace

void draw_drawer(const AppState& state, const Layout& layout, Actions& actions) {
  if (!state.view.drawer) {
    return;
  }
  const Drawer drawer = *state.view.drawer;
  const Rect& place = is_wide(drawer) ? layout.wide_drawer : layout.drawer;
  const Panel panel("Drawer", place, Panel::Frame::floating);
  draw_close(state, place, drawer, actions);
  write(Type::heading, colours(state).text, title_of(drawer));
  if (is_wide(drawer)) {
    ImGui::SameLine(0, px(state, 16));  // these begin on the line of their tabs
  } else {
    gap(state, 2);
  }
  draw_content(state, drawer, actions);
}

}  // namespace rooftile::window
