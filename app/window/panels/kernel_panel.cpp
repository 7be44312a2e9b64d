#include <algorithm>

#include "app/window/kit/marks.hpp"
#include "app/window/kit/segmented.hpp"
#include "app/window/panels/panels.hpp"

namespace rooftile::window {
namespace {

constexpr float kernel_line = 25, chosen_kernel_height = 42, dial_height = 58;
constexpr float below_dials = 205;  // more dials, what was compiled
constexpr float fewest_lines = 5;
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

// The dials come first: the list scrolls where both do not fit.
float kernel_list_height(const AppState& state) {
  const auto kernels = static_cast<float>(state.catalogue.size());
  const auto dials = static_cast<float>(std::ranges::count(state.shown.dials, false, &Dial::in_more) + 1);
  const float wanted = (kernels - 1) * kernel_line + chosen_kernel_height;
  const float fewest = std::min(wanted, (fewest_lines - 1) * kernel_line + chosen_kernel_height);
  const float free =
      ImGui::GetContentRegionAvail().y / state.settings.scale - dials * dial_height - below_dials;
  return px(state, std::clamp(free, fewest, wanted));
}

void draw_kernels(const AppState& state, Actions& actions) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  const float bleed = px(state, 8);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() - bleed);
  ImGui::BeginChild("list", {ImGui::GetContentRegionAvail().x + bleed, kernel_list_height(state)}, 0,
                    ImGuiWindowFlags_NoNav);
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

void draw_dial_label(const AppState& state, const Dial& dial) {
  write(Type::body, colours(state).dim, dial.label);
  if (!dial.unit.empty()) {
    ImGui::SameLine(0, px(state, 6));
    write(Type::body, colours(state).dim, "[" + dial.unit + "]");
  }
  if (dial.following) {
    ImGui::SameLine(0, px(state, 6));
    write(Type::small, colours(state).faint, "follows");
  }
}

void draw_dial(const AppState& state, const Dial& dial, Actions& actions) {
  draw_dial_label(state, dial);
  const DialMove move = segmented(state, dial, state.view.dial == dial.name);
  if (move.touched && state.view.dial != dial.name) {
    actions.push_back(FocusDial{dial.name});
  }
  if (move.to) {
    actions.push_back(SetParameter{dial.name, dial.options[*move.to].value});
  }
  if (move.wheel != 0) {
    actions.push_back(StepParameter{dial.name, move.wheel});
  }
  gap(state, 4);
}

// Two places of a dial that is no parameter of the kernel.
void draw_caches(const AppState& state, Actions& actions) {
  const Dial dial{.name = "caches",
                  .label = "Caches before each launch",
                  .unit = {},
                  .options = {{0, "cold", {}}, {1, "warm", {}}},
                  .selected = state.choice.caches == Caches::cold ? 0u : 1u};
  draw_dial_label(state, dial);
  const DialMove move = segmented(state, dial, false);
  if (move.to || move.wheel != 0) {
    const bool warm = move.to ? *move.to == 1 : move.wheel > 0;
    actions.push_back(SetCaches{warm ? Caches::warm : Caches::cold});
  }
}

// Points right while closed, down while open.
void draw_arrow(ImDrawList& draw, ImVec2 centre, float arm, bool open, ImU32 colour) {
  const ImVec2 tip = open ? ImVec2{centre.x, centre.y + arm} : ImVec2{centre.x + arm, centre.y};
  const ImVec2 a =
      open ? ImVec2{centre.x - arm, centre.y - arm / 2} : ImVec2{centre.x - arm / 2, centre.y + arm};
  const ImVec2 b =
      open ? ImVec2{centre.x + arm, centre.y - arm / 2} : ImVec2{centre.x - arm / 2, centre.y - arm};
  draw.AddTriangleFilled(a, b, tip, colour);
}

void draw_more(const AppState& state, Actions& actions) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (ImGui::InvisibleButton("more", {ImGui::GetContentRegionAvail().x, px(state, 22)})) {
    actions.push_back(ToggleMore{});
  }
  const ImU32 colour = ink(ImGui::IsItemHovered() ? colours(state).text : colours(state).dim);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw_arrow(draw, {at.x + px(state, 5), at.y + px(state, 11)}, px(state, 4), state.view.more_open, colour);
  draw_text(draw, {at.x + px(state, 16), at.y + px(state, 3)}, Type::small, colour,
            state.view.more_open ? "fewer dials" : "more dials");
}

void draw_dials(const AppState& state, Actions& actions) {
  write_heading(state, "Dials");
  bool any_in_more = false;
  for (const Dial& dial : state.shown.dials) {
    if (!dial.in_more) {
      draw_dial(state, dial, actions);
    }
    any_in_more = any_in_more || dial.in_more;
  }
  draw_caches(state, actions);
  if (!any_in_more) {
    return;
  }
  gap(state, 2);
  draw_more(state, actions);
  for (const Dial& dial : state.shown.dials) {
    if (dial.in_more && state.view.more_open) {
      draw_dial(state, dial, actions);
    }
  }
}

void draw_compiled(const AppState& state) {
  write_heading(state, "Compiled");
  for (const std::string& line : state.shown.subject->compiled) {
    write(Type::figure, colours(state).dim, line);
  }
}

}  // namespace

void draw_kernel_panel(const AppState& state, const Rect& place, Actions& actions) {
  const Panel panel("Kernel", place);
  write_heading(state, "Kernel");
  draw_kernels(state, actions);
  rule(state);
  draw_dials(state, actions);
  if (state.shown.subject) {
    rule(state);
    draw_compiled(state);
  }
}

}  // namespace rooftile::window
