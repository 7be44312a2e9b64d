// The right column: verdict with advice, occupancy and proof above each other; in a low window the last two are
// tabs.
#include "app/window/panels/side_panel.hpp"

#include "app/window/panels/panels.hpp"

namespace rooftile::window {
namespace {

void draw_side_tabs(const AppState& state, Actions& actions) {
  for (const Panel panel : side_tabs) {
    draw_tab(state, panel, state.view.side == panel, actions);
    ImGui::SameLine(0, px(state, 6));
  }
  ImGui::NewLine();
  gap(state, 2);
}

}  // namespace

void draw_side_panel(const AppState& state, const Layout& layout, Actions& actions) {
  const PanelFrame frame("Side", layout.side);
  if (!state.derived.shown.subject) {
    write_wrapped(Type::body, colours(state).dim,
                  "Choose legal values of the dials to see what bounds the kernel.");
    return;
  }
  const Subject& subject = *state.derived.shown.subject;
  draw_verdict(state, subject);
  draw_advice(state, subject, actions);
  rule(state);
  if (layout.side_as_tabs) {
    draw_side_tabs(state, actions);
    return draw_content(state, state.view.side, actions);
  }
  write_heading(state, "Occupancy");
  draw_occupancy(state, subject);
  rule(state);
  write_heading(state, "Proof");
  draw_proof(state, subject);
}

}  // namespace rooftile::window
