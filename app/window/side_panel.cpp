// The right column: verdict, occupancy and proof above each other, or as tabs in a low window.
#include "app/window/side_panel.hpp"

#include "app/window/panels.hpp"

namespace rooftile::window {
namespace {

constexpr std::pair<SidePanel, const char*> tabs[] = {
    {SidePanel::verdict, "Verdict"}, {SidePanel::occupancy, "Occupancy"}, {SidePanel::proof, "Proof"}};

void draw_tabs(const AppState& state, Requests& requests) {
  for (const auto& [panel, name] : tabs) {
    if (chip(state, name, colours(state).accent, state.view.side == panel)) {
      requests.push_back(SelectSide{panel});
    }
    ImGui::SameLine(0, px(state, 6));
  }
  ImGui::NewLine();
  gap(state, 6);
}

void draw_tab(const AppState& state, const Subject& subject) {
  switch (state.view.side) {
    case SidePanel::verdict:
      draw_verdict(state, subject);
      break;
    case SidePanel::occupancy:
      draw_occupancy(state, subject);
      break;
    case SidePanel::proof:
      draw_proof(state, subject);
      break;
  }
}

}  // namespace

void draw_side_panel(const AppState& state, const Layout& layout, Requests& requests) {
  const Panel panel("Side", layout.side);
  if (!state.shown.subject) {
    write_wrapped(Type::body, colours(state).dim,
                  "Choose legal values of the dials to see what bounds the kernel.");
    return;
  }
  if (layout.side_as_tabs) {
    draw_tabs(state, requests);
    draw_tab(state, *state.shown.subject);
    return;
  }
  draw_verdict(state, *state.shown.subject);
  rule(state);
  draw_occupancy(state, *state.shown.subject);
  rule(state);
  draw_proof(state, *state.shown.subject);
}

}  // namespace rooftile::window
