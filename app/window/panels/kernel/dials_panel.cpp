// The dials of the chosen kernel, or the shapes that a program launched it in.
#include <array>
#include <string>

#include "app/scene/launch/dials.hpp"
#include "app/scene/program/program_kernels.hpp"
#include "app/window/kit/marks.hpp"
#include "app/window/kit/segmented.hpp"
#include "app/window/panels/kernel/kernel_panel.hpp"

namespace rooftile::window {
namespace {

constexpr float dial_height = 30;

void draw_dial_label(const AppState& state, const Dial& dial) {
  ImGui::BeginGroup();
  write(Type::body, colours(state).dim, dial.label);
  if (!dial.unit.empty()) {
    ImGui::SameLine(0, px(state, 6));
    write(Type::body, colours(state).dim, "[" + dial.unit + "]");
  }
  if (dial.following) {
    ImGui::SameLine(0, px(state, 6));
    write(Type::small, colours(state).dim, "follows");
  }
  ImGui::EndGroup();
  if (ImGui::IsItemHovered() && !dial.facts.empty()) {
    hint(state, dial.facts);
  }
}

// Two places of a dial that is no parameter of the kernel.
void draw_caches(const AppState& state, Actions& actions) {
  const Dial dial{.name = "caches",
                  .label = "Caches before each launch",
                  .unit = {},
                  .options = {{0, "cold", {}}, {1, "warm", {}}},
                  .selected = state.choice.caches == Caches::cold ? 0u : 1u,
                  .facts = {"cold: another kernel reads twice the size of L2 before each launch.",
                            "warm: L2 keeps what the launch before left."}};
  draw_dial_label(state, dial);
  const DialMove move = segmented(state, dial, false, dial_height);
  if (move.to || move.wheel != 0) {
    const bool warm = move.to ? *move.to == 1 : move.wheel > 0;
    actions.push_back(SetCaches{warm ? Caches::warm : Caches::cold});
  }
}

void draw_more(const AppState& state, Actions& actions) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (ImGui::InvisibleButton("more", {ImGui::GetContentRegionAvail().x, px(state, 22)})) {
    actions.push_back(ToggleMore{});
  }
  const ImU32 colour = ink(ImGui::IsItemHovered() ? colours(state).text : colours(state).dim);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw_arrow(draw, {at.x + px(state, 5), at.y + px(state, 11)}, px(state, 4), opened(state.view.more_open),
             colour);
  draw_text(draw, {at.x + px(state, 16), at.y + px(state, 3)}, Type::small, colour,
            state.view.more_open ? "fewer dials" : "more dials");
}

const std::array<std::string, 3> what_tuning_does = {
    "The program runs again, and the first launch of this kernel and shape is written to a folder:",
    "its code, its arguments, and the memory that they reach.",
    "It opens as a kernel with dials, and what the program's launch wrote is what is right."};

void draw_tune(const AppState& state, Actions& actions) {
  if (!tunable_launch(state)) {
    return;
  }
  gap(state, 6);
  if (chip(state, "tune this kernel", colours(state).accent, true)) {
    actions.push_back(TuneKernel{});
  }
  if (ImGui::IsItemHovered()) {
    hint(state, what_tuning_does);
  }
}

// Why a value cannot be taken, and where the nearest launch with it was recorded: a press goes there.
void explain_greyed(const AppState& state, const Dial& dial, const DialMove& move, Actions& actions) {
  const DialOption& option = dial.options[*move.greyed_hovered];
  std::vector<std::string> lines{*option.why_not};
  if (const auto place = nearest_recorded(state, dial.name, option.value)) {
    lines.push_back("Nearest: " + difference_text(state, *place) + ".");
    lines.emplace_back("Click to go there.");
    if (move.greyed_pressed) {
      actions.push_back(GoTo{*place});
    }
  }
  hint(state, lines);
}

}  // namespace

void draw_dial(const AppState& state, const Dial& dial, float height, Actions& actions) {
  draw_dial_label(state, dial);
  const DialMove move = segmented(state, dial, state.view.dial == dial.name, height);
  if (move.touched && state.view.dial != dial.name) {
    actions.push_back(FocusDial{dial.name});
  }
  if (move.to) {
    actions.push_back(SetParameter{dial.name, dial.options[*move.to].value});
  }
  if (move.wheel != 0) {
    actions.push_back(StepParameter{dial.name, move.wheel});
  }
  if (move.greyed_hovered) {
    explain_greyed(state, dial, move, actions);
  }
}

// A number of the source on a line, and the chip that opens the form with more values of it, which the user
// sees before they are saved.
void draw_constant(const AppState& state, const Dial& dial, Actions& actions) {
  const char* chip_text = "make it a dial";
  ImGui::PushID(dial.name.c_str());
  draw_dial_label(state, dial);
  ImGui::SameLine(0, px(state, 8));
  write(Type::body, colours(state).text, dial.options[dial.selected].text);
  ImGui::SameLine(ImGui::GetContentRegionMax().x - chip_size(state, chip_text).x);
  if (chip(state, chip_text, colours(state).accent, false)) {
    actions.push_back(TypeInForm{of_parameter(dial.name, "values"), dial.values_to_offer});
    actions.push_back(ShowPanel{Panel::launch});
  }
  if (ImGui::IsItemHovered()) {
    hint(state, "The form of the launch offers " + dial.values_to_offer + ": Save makes it a dial.");
  }
  ImGui::PopID();
}

void draw_dial_or_constant(const AppState& state, const Dial& dial, Actions& actions) {
  if (dial.values_to_offer.empty()) {
    draw_dial(state, dial, dial_height, actions);
  } else {
    draw_constant(state, dial, actions);
  }
  gap(state, 4);
}

void draw_dials(const AppState& state, Actions& actions) {
  if (is_of_program(kernel(state))) {
    draw_shapes(state, actions);
    return draw_tune(state, actions);
  }
  bool any_in_more = false;
  for (const Dial& dial : state.derived.shown.dials) {
    if (!dial.in_more) {
      draw_dial_or_constant(state, dial, actions);
    }
    any_in_more = any_in_more || dial.in_more;
  }
  draw_caches(state, actions);
  if (!state.derived.shown.compile_cost.empty()) {
    write_wrapped(Type::small, colours(state).dim, state.derived.shown.compile_cost);
  }
  if (!any_in_more) {
    return;
  }
  gap(state, 2);
  draw_more(state, actions);
  for (const Dial& dial : state.derived.shown.dials) {
    if (dial.in_more && state.view.more_open) {
      draw_dial_or_constant(state, dial, actions);
    }
  }
}

}  // namespace rooftile::window
