#include "app/window/kit/widgets.hpp"
#include "app/window/panels/panels.hpp"

namespace rooftile::window {
namespace {

void draw_columns(const AppState& state, const Layout& layout, Actions& actions) {
  draw_kernel_panel(state, layout.left, actions);
  if (layout.chart_shown) {
    draw_chart_panel(state, layout, actions);
  }
  draw_divider(state, layout, actions);
  draw_lower_panel(state, layout, actions);
  draw_side_panel(state, layout, actions);
  draw_status_line(state, layout.status, actions);
}

void draw_folded(const AppState& state, const Layout& layout, Actions& actions) {
  if (!layout.lesson.empty()) {
    draw_lesson(state, layout.lesson, actions);
  } else if (!layout.rail.empty()) {
    draw_rail(state, layout.rail, actions);
  }
  draw_chart_panel(state, layout, actions);
  draw_focused_dial(state, layout.dial, actions);
  draw_verdict_card(state, layout.verdict, actions);
  draw_drawer(state, layout, actions);
  draw_message(state, layout.message, actions);
}

Beside beside_chart(const View& view) {
  return view.presentation ? Beside::nothing : view.lesson ? Beside::lesson : Beside::panels;
}

// Keeps one action for the launch under the pointer, and only when it has changed.
void settle_pointed(const AppState& state, Actions& actions) {
  std::optional<std::uint64_t> launch;
  std::erase_if(actions, [&](const Action& action) {
    const PointAt* here = action_if<PointAt>(action);
    launch = here ? here->launch : launch;
    return here != nullptr;
  });
  if (launch != state.view.pointed) {
    actions.push_back(PointAt{launch});
  }
}

}  // namespace

void draw_frame(const AppState& state, Actions& actions) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const Layout layout = arrange(size.x, size.y, state.settings.scale,
                                state.settings.chart_share_above(state.view.lower), beside_chart(state.view));
  ImGui::GetBackgroundDrawList()->AddRectFilled({0, 0}, size, ink(colours(state).background));
  if (layout.folded != state.view.folded) {
    actions.push_back(FoldWindow{layout.folded});
  }
  state.view.presentation ? draw_presentation(state, layout.top) : draw_top_bar(state, layout, actions);
  layout.folded ? draw_folded(state, layout, actions) : draw_columns(state, layout, actions);
  draw_message_lines(state, layout.chart, actions);
  draw_sweep_panel(state, layout, actions);
  draw_question_panel(state, actions);
  draw_note_panel(state, actions);
  draw_keys(state, actions);
  collect_keys(state, actions);
  settle_pointed(state, actions);
  if (state.view.picture_asked && !menu_open()) {
    actions.push_back(ExportPicture{});
  }
}

}  // namespace rooftile::window
