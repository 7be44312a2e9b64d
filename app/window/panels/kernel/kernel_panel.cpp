// The left column: kernels, dials, and what was compiled.
#include "app/window/panels/kernel/kernel_panel.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "app/scene/program/program_kernels.hpp"
#include "app/window/panels/panels.hpp"

namespace rooftile::window {
namespace {

constexpr float dial_and_label = 58;
constexpr float below_dials = 205;  // more dials, what was compiled
constexpr float lowest_list = 167;
constexpr float compile_cost_height = 36;

// The dials come first: the list scrolls where both do not fit.
float height_for_kernels(const AppState& state) {
  const auto dials =
      static_cast<float>(std::ranges::count(state.derived.shown.dials, false, &Dial::in_more) + 1);
  const float wanted = kernel_list_height(state);
  const float cost = state.derived.shown.compile_cost.empty() ? 0 : compile_cost_height;
  const float free =
      ImGui::GetContentRegionAvail().y / state.settings.scale - dials * dial_and_label - cost - below_dials;
  return px(state, whole_lines(std::clamp(free, std::min(lowest_list, wanted), wanted)));
}

const std::array<std::string, 3> compiled_facts = {
    "Registers of each thread. What does not fit is spilled to local memory.",
    "Shared memory of each block, static and dynamic.", "Threads of each block, and blocks of the grid."};

void draw_compiled(const AppState& state) {
  write_heading(state, "Compiled");
  ImGui::BeginGroup();
  for (const std::string& line : state.derived.shown.subject->compiled) {
    write(Type::figure, colours(state).dim, line);
  }
  ImGui::EndGroup();
  if (ImGui::IsItemHovered()) {
    hint(state, compiled_facts);
  }
}

}  // namespace

void draw_kernel_panel(const AppState& state, const Rect& place, Actions& actions) {
  const PanelFrame frame("Kernel", place);
  draw_kernels(state, height_for_kernels(state), actions);
  rule(state);
  write_heading(state, is_of_program(kernel(state)) ? "Shapes: grid x block" : "Dials");
  draw_dials(state, actions);
  if (state.derived.shown.subject) {
    rule(state);
    draw_compiled(state);
  }
}

}  // namespace rooftile::window
