// How a kernel of the user's own is launched, as fields to be filled in: block and grid, arguments, sizes,
// buffers.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "app/window/panels/kernel/launch_fields.hpp"
#include "app/window/panels/lower_panel.hpp"

namespace rooftile::window {
namespace {

constexpr float narrowest_column = 280, size_width = 60;
constexpr float lines_of_result = 3;  // that it takes in a narrow column
constexpr float lone_side = 0.14f;    // of the width, that a side of 1 has: most expressions need more

const std::vector<std::string> element_types = {"float", "double", "half", "bfloat16", "fp8_e4m3",
                                                "char",  "short",  "int",  "long_long"};

float share_of(const FormCell& side, const std::array<FormCell, 3>& sides) {
  const auto lone = static_cast<float>(std::ranges::count(sides, "1", &FormCell::text));
  return lone == 3 || lone == 0 ? 1.0f / 3 : side.text == "1" ? lone_side : (1 - lone * lone_side) / (3 - lone);
}

void draw_sides(const AppState& state, const char* name, const char* note, const std::array<FormCell, 3>& sides,
                Actions& actions) {
  draw_line_name(state, name, note, px(state, widest_names));
  const float width = ImGui::GetContentRegionAvail().x - 2 * px(state, between_fields);
  for (const FormCell& side : sides) {
    draw_field(state, side, width * share_of(side, sides), actions);
    if (&side != &sides.back()) {
      next_field(state);
    }
  }
  draw_wrong(state, {&sides[0], &sides[1], &sides[2]});
}

void draw_group_name(const AppState& state, const char* heading, const char* note) {
  write(Type::small, colours(state).dim, heading);
  if (ImGui::IsItemHovered()) {
    hint(state, std::vector<std::string>{heading, note});
  }
}

// Keeps its height while the result is not known: what stands below stays where it is typed in.
void draw_what_it_comes_to(const AppState& state, const LaunchForm& form) {
  const float end = ImGui::GetCursorPosY() + lines_of_result * text_size(Type::small, "N").y;
  if (!form.cannot_launch.empty()) {
    write_wrapped(Type::small, words(state, colours(state).warn), form.cannot_launch);
  }
  if (!form.comes_to.empty()) {
    write_wrapped(Type::small, colours(state).dim, form.comes_to);
  }
  if (const float rest = end - ImGui::GetCursorPosY(); rest > 0) {
    ImGui::Dummy({0, rest});
  }
}

void draw_launch(const AppState& state, const LaunchForm& form, Actions& actions) {
  draw_group_name(state, "Launch", "Along x, y and z.");
  draw_sides(state, "Block", "Threads per block. Expressions can use the macros and sizes.", form.block,
             actions);
  draw_sides(state, "Grid", "Blocks per launch. Expressions can use the macros and sizes.", form.grid, actions);
  draw_line_name(state, "Shared bytes", "Dynamic shared memory per block: extern __shared__.",
                 px(state, widest_names));
  draw_field(state, form.dynamic_shared, ImGui::GetContentRegionAvail().x, actions);
  draw_wrong(state, {&form.dynamic_shared});
  for (const std::string& each : form.wrong) {
    write_wrapped(Type::small, words(state, colours(state).bad), each);
  }
  draw_what_it_comes_to(state, form);
}

void draw_arguments(const AppState& state, const LaunchForm& form, Actions& actions) {
  draw_group_name(state, "Arguments", "Each parameter of the kernel gets a buffer or an expression.");
  const float names = width_of_names(state, form.arguments, &LaunchForm::OfArgument::name);
  for (const LaunchForm::OfArgument& each : form.arguments) {
    draw_line_name(state, each.name, each.declaration, names);
    const float room = ImGui::GetContentRegionAvail().x -
                       (each.is_surplus ? chip_size(state, "Remove").x + px(state, between_fields) : 0);
    if (each.is_name) {
      draw_word_choice(state, each.given, each.choices, room, actions);
    } else {
      draw_field(state, each.given, room, actions);
    }
    if (each.is_surplus) {
      next_field(state);
      ImGui::PushID(each.name.c_str());
      if (chip(state, "Remove", colours(state).accent, false)) {
        actions.push_back(DropArgument{each.given.field.item});
      }
      ImGui::PopID();
    }
    if (!each.note.empty()) {
      write_wrapped(Type::small, words(state, colours(state).warn), each.note);
    }
    draw_wrong(state, {&each.given});
  }
}

// On the line of the group's name, their words at one height.
void next_group_chip(const AppState& state, float space = 0) {
  ImGui::SameLine(0, px(state, space));
  const float taller = chip_size(state, "+").y - text_size(Type::small, "+").y;
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() - taller / 2);
}

void draw_parameter_heading(const AppState& state, const LaunchForm& form, Actions& actions) {
  draw_group_name(state, "Sizes and macros", "The values of each, and its default.");
  next_group_chip(state, between_fields);
  draw_add_named(state, "+ size", {"parameter", "size", ""}, actions);
  next_group_chip(state);
  draw_add_named(state, "+ scalar", {"parameter", "scalar", ""}, actions);
  if (!form.free_macros.empty()) {
    next_group_chip(state);
    draw_add_one_of(state, "+ macro", {"parameter", "dial", ""}, form.free_macros, actions);
  }
}

void draw_parameters(const AppState& state, const LaunchForm& form, Actions& actions) {
  draw_parameter_heading(state, form, actions);
  const float names = width_of_names(state, form.parameters, &LaunchForm::OfParameter::name);
  for (const LaunchForm::OfParameter& each : form.parameters) {
    draw_entry_name(state, {"parameter", each.name, each.role, each.can_be_renamed, each.why_no_removal}, names,
                    actions);
    const float room = ImGui::GetContentRegionAvail().x - px(state, between_fields);
    draw_field(state, each.values, room * 0.68f, actions);
    next_field(state);
    draw_field(state, each.default_value, room * 0.32f, actions);
    draw_wrong(state, {&each.values, &each.default_value});
  }
}

// Below the line of the buffer, as far to the right as its fields.
void draw_numbers(const AppState& state, const LaunchForm::OfBuffer& buffer, float names, Actions& actions) {
  const float order = chip_size(state, "ascending").x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + names);
  ImGui::AlignTextToFramePadding();
  write(Type::small, colours(state).dim, "numbers below");
  if (ImGui::IsItemHovered()) {
    hint(state, "Upper bound (exclusive) of whole numbers, such as indices. Ascending: spread evenly from 0.");
  }
  next_field(state);
  draw_field(state, buffer.below, ImGui::GetContentRegionAvail().x - order - px(state, between_fields),
             actions);
  next_field(state);
  draw_word_choice(state, buffer.order, {"random", "ascending"}, order, actions);
  draw_wrong(state, {&buffer.below, &buffer.order});
}

void draw_buffers(const AppState& state, const LaunchForm& form, Actions& actions) {
  draw_group_name(state, "Buffers", "The elements of each, their type, and what the kernel does with them.");
  next_group_chip(state, between_fields);
  draw_add_named(state, "+ buffer", {"buffer", "", ""}, actions);
  const float role = chip_size(state, "output").x, type = chip_size(state, "long_long").x;
  const float names = width_of_names(state, form.buffers, &LaunchForm::OfBuffer::name);
  for (const LaunchForm::OfBuffer& each : form.buffers) {
    draw_entry_name(state, {"buffer", each.name, each.size, true, each.why_no_removal}, names, actions);
    const float room =
        ImGui::GetContentRegionAvail().x - role - type - px(state, 3 * between_fields + size_width);
    draw_field(state, each.count, std::max(room, px(state, 50)), actions);
    next_field(state);
    draw_word_choice(state, each.element, element_types, type, actions);
    next_field(state);
    draw_word_choice(state, each.role, {"input", "output", "in_out"}, role, actions);
    next_field(state);
    write_right(Type::figure_small, colours(state).dim, each.size);
    draw_wrong(state, {&each.count, &each.element, &each.role});
    if (each.has_numbers) {
      draw_numbers(state, each, names, actions);
    }
  }
}

void draw_globals(const AppState& state, const LaunchForm& form, Actions& actions) {
  if (form.globals.empty()) {
    return;
  }
  gap(state, 4);
  draw_group_name(state, "Variables", "__constant__ and __device__ variables, and what they begin with.");
  const float fill = chip_size(state, "constant").x, type = chip_size(state, "long_long").x;
  const float names = width_of_names(state, form.globals, &LaunchForm::OfGlobal::name);
  for (const LaunchForm::OfGlobal& each : form.globals) {
    draw_line_name(state, each.name, "none: what the source gives them, or zeros.", names);
    draw_word_choice(state, each.element, element_types, type, actions);
    next_field(state);
    draw_word_choice(state, each.fill, {"none", "random", "range", "constant"}, fill, actions);
    if (each.has_value) {
      next_field(state);
      draw_field(state, each.value, ImGui::GetContentRegionAvail().x, actions);
    }
    draw_wrong(state, {&each.element, &each.fill, &each.value});
  }
}

void draw_more_kernels(const AppState& state, const LaunchForm& form, Actions& actions) {
  if (!form.has_more_kernels) {
    return;
  }
  const std::string label = "Another kernel of " + form.source + " ...";
  if (chip(state, label.c_str(), colours(state).accent, false)) {
    actions.push_back(AskForKernel{});
  }
}

std::string caption_of(const LaunchForm& form) {
  if (form.edited) {
    return "Not saved yet.";
  }
  return form.launch_origin.empty() ? form.file
         : form.launch_origin == "a guess"
             ? "Sizes, block and grid are first guesses: correct them here."
             : fmt::format("Block and grid are {}. Sizes are first guesses: correct them here.",
                           form.launch_origin);
}

// At the right end of the line of the tabs.
void draw_save(const AppState& state, const LaunchForm& form, const char* save, Actions& actions) {
  if (chip(state, "Discard", colours(state).accent, false)) {
    actions.push_back(DiscardEdits{});
  }
  ImGui::SameLine(0, px(state, between_fields));
  if (chip(state, save, colours(state).accent, !form.why_no_save) && !form.why_no_save) {
    actions.push_back(SaveForm{});
  }
  if (ImGui::IsItemHovered()) {
    hint(state, form.why_no_save.value_or("Writes " + form.file + " and launches the kernel."));
  }
}

void draw_caption_and_save(const AppState& state, const LaunchForm& form, Actions& actions) {
  const char* const save = mode(state) == Mode::live ? "Save and measure" : "Save";
  const float for_cross = state.view.folded ? px(state, 26) : 0;
  const float for_chips = chip_size(state, save).x + chip_size(state, "Discard").x + px(state, 18);
  const float taken = for_cross + (form.edited ? for_chips : 0);
  const float room = std::max(0.0f, ImGui::GetContentRegionAvail().x - taken);
  write(Type::small, colours(state).dim, elided(Type::small, caption_of(form), room));
  if (ImGui::IsItemHovered()) {
    hint(state, std::vector<std::string>{caption_of(form), form.file});
  }
  if (form.edited) {
    ImGui::SameLine(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - taken);
    draw_save(state, form, save, actions);
  }
}

}  // namespace

void draw_launch_form(const AppState& state, Actions& actions) {
  if (!state.derived.shown.launch_form) {
    return;
  }
  const LaunchForm& form = *state.derived.shown.launch_form;
  draw_caption_and_save(state, form, actions);
  const float width = ImGui::GetContentRegionAvail().x / state.settings.scale;
  const int columns = std::clamp(static_cast<int>(width / narrowest_column), 1, 3);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {px(state, 5), px(state, 2)});
  if (ImGui::BeginTable("form", columns, ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingStretchSame)) {
    ImGui::TableNextColumn();
    draw_launch(state, form, actions);
    gap(state, 4);
    if (columns < 3) {
      draw_buffers(state, form, actions);
      draw_globals(state, form, actions);
    }
    draw_more_kernels(state, form, actions);
    gap(state, 2);  // else the next column begins at the height of this line's words
    ImGui::TableNextColumn();
    draw_arguments(state, form, actions);
    gap(state, 2);
    if (columns != 2) {
      ImGui::TableNextColumn();
    }
    draw_parameters(state, form, actions);
    if (columns == 3) {
      gap(state, 4);
      draw_buffers(state, form, actions);
      draw_globals(state, form, actions);
    }
    ImGui::EndTable();
  }
  ImGui::PopStyleVar();
}

}  // namespace rooftile::window
