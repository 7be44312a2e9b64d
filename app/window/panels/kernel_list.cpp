// The kernels to choose from.
#include "app/window/kit/marks.hpp"
#include "app/window/panels/kernel_panel.hpp"

namespace rooftile::window {
namespace {

constexpr double moment = 0.1;  // [s] in which a chosen kernel is brought into view

// The chosen kernel says its idea; the others say it on hover.
void draw_kernel(const AppState& state, const Manifest& kernel, Actions& actions) {
  const Palette& token = colours(state);
  const bool chosen = kernel.name == state.choice.kernel;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{ImGui::GetContentRegionAvail().x, px(state, chosen ? chosen_kernel_height : kernel_line)};
  if (ImGui::InvisibleButton(kernel.name.c_str(), size)) {
    actions.push_back(SelectKernel{kernel.name});
  }
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 to{at.x + size.x, at.y + size.y};
  if (chosen || hovered) {
    draw.AddRectFilled(at, to, ink(token.accent, chosen ? 0.17f : 0.07f), px(state, 5));
  }
  const float x = at.x + px(state, 10);
  draw_text(draw, {x, at.y + px(state, 5)}, Type::figure,
            ink(chosen ? token.text : mix(token.text, token.dim, 0.5)), kernel.name);
  if (chosen) {
    draw.AddRectFilled(at, {at.x + px(state, 3), to.y}, ink(token.accent), px(state, 2));
    draw_text(draw, {x, at.y + px(state, 22)}, Type::small, ink(token.dim), kernel.idea);
  } else if (hovered) {
    hint(state, kernel.idea);
  }
}

}  // namespace

void draw_kernels(const AppState& state, float height, Actions& actions) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  const float bleed = px(state, 8);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() - bleed);
  ImGui::BeginChild("list", {ImGui::GetContentRegionAvail().x + bleed, height}, 0, ImGuiWindowFlags_NoNav);
  for (const Manifest& each : state.catalogue) {
    draw_kernel(state, each, actions);
    if (each.name == state.choice.kernel && !ImGui::IsItemVisible() &&
        state.now - state.view.kernel_chosen < moment) {
      ImGui::SetScrollHereY();
    }
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace rooftile::window
