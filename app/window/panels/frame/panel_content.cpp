// The content of each panel, wherever the layout puts it.
#include "app/window/panels/kernel/kernel_panel.hpp"
#include "app/window/panels/lower_panel.hpp"
#include "app/window/panels/panels.hpp"
#include "app/window/panels/side_panel.hpp"

namespace rooftile::window {
namespace {

void draw_of_subject(const AppState& state, Panel panel, Actions& actions) {
  if (!state.derived.shown.subject) {
    return;
  }
  const Subject& subject = *state.derived.shown.subject;
  if (panel == Panel::shares) {
    draw_verdict(state, subject);
    draw_advice(state, subject, actions);
  } else if (panel == Panel::occupancy) {
    draw_occupancy(state, subject);
  } else {
    draw_proof(state, subject);
  }
}

}  // namespace

bool is_offered(const AppState& state, Panel panel) {
  const auto& shown = state.derived.shown;
  return panel == Panel::launch ? shown.has_launch_form : panel != Panel::times || shown.has_times;
}

bool draw_tab(const AppState& state, Panel panel, bool selected, Actions& actions) {
  const PanelWords& words = words_of(panel);
  const bool pressed = chip(state, words.title, colours(state).accent, selected);
  if (pressed) {
    actions.push_back(ShowPanel{panel});
  }
  if (ImGui::IsItemHovered()) {
    hint(state, words.shows);
  }
  return pressed;
}

void draw_content(const AppState& state, Panel panel, Actions& actions) {
  switch (panel) {
    case Panel::kernels:
      return draw_kernels(state, ImGui::GetContentRegionAvail().y, actions);
    case Panel::dials:
      return draw_dials(state, actions);
    case Panel::points:
      return draw_points(state, actions);
    case Panel::map:
      return draw_map(state, actions);
    case Panel::why:
      return draw_why(state, actions);
    case Panel::source:
      return draw_source(state, actions);
    case Panel::banks:
      return draw_access(state, state.derived.shown.banks, actions);
    case Panel::sectors:
      return draw_access(state, state.derived.shown.sectors, actions);
    case Panel::tile:
      return draw_tile(state, actions);
    case Panel::memory:
      return draw_memory(state);
    case Panel::roofs:
      return draw_roofs_table(state, actions);
    case Panel::curves:
      return draw_curves(state, actions);
    case Panel::times:
      return draw_times(state);
    case Panel::launch:
      return draw_launch_form(state, actions);
    case Panel::shares:
    case Panel::occupancy:
    case Panel::proof:
      return draw_of_subject(state, panel, actions);
  }
}

}  // namespace rooftile::window
