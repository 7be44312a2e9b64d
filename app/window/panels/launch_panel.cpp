// How a kernel of the user's own is launched, as fields to be filled in: block and grid, sizes, buffers.
#include <algorithm>
#include <array>
#include <functional>

#include "app/window/kit/marks.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/panels/lower_panel.hpp"

namespace rooftile::window {
namespace {

constexpr float narrowest_column = 280, between_fields = 6, size_width = 60;
constexpr float narrowest_names = 34, widest_names = 92;
constexpr float lone_side = 0.14f;  // of the width, that a side of 1 has: most expressions need more

// "buffer.A.count"; of a side of the block "launch.block.x"
std::string id_of(const FormField& field) {
  const auto& [section, entry, key] = field.place;
  const bool is_side = key == "block" || key == "grid";
  return section + "." + (entry.empty() ? "" : entry + ".") + key +
         (is_side ? std::string(".") + "xyz"[field.axis] : "");
}

// On the line of the last item; x: in the window, whose columns SameLine() counts from their own left edge.
void go_on_at(float x) {
  ImGui::SameLine();
  ImGui::SetCursorPosX(x);
}

// Enter saves what is valid.
void draw_field(const AppState& state, const FormCell& cell, float width, Actions& actions) {
  std::array<char, 512> typed{};
  cell.text.copy(typed.data(), typed.size() - 1);
  const Palette& token = colours(state);
  const Rgb edge = !cell.wrong.empty() ? token.bad : cell.typed ? token.accent : token.edge;
  const TypeScope scope(Type::figure_small);
  ImGui::SetNextItemWidth(width);
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1);
  ImGui::PushStyleColor(ImGuiCol_Border, ink(edge));
  if (ImGui::InputText(("##" + id_of(cell.field)).c_str(), typed.data(), typed.size())) {
    actions.push_back(TypeInForm{cell.field, typed.data()});
  }
  if (ImGui::IsItemHovered() && !ImGui::IsItemActive() && ImGui::CalcTextSize(cell.text.c_str()).x > width) {
    hint(state, cell.text);
  }
  const bool entered = ImGui::IsItemDeactivated() && ImGui::IsKeyPressed(ImGuiKey_Enter, false);
  if (entered && !state.shown.launch_form->why_no_save) {
    actions.push_back(SaveForm{});
  }
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
}

// One of few words.
void draw_word_choice(const AppState& state, const FormCell& cell,
                      std::initializer_list<const char*> words_of_it, float width, Actions& actions) {
  const std::string id = id_of(cell.field);
  const float left = ImGui::GetCursorPosX();
  ImGui::PushID(id.c_str());
  if (chip(state, cell.text.c_str(), colours(state).accent, cell.typed)) {
    ImGui::OpenPopup("choice");
  }
  if (begin_menu(state, "choice")) {
    for (const char* each : words_of_it) {
      if (menu_row(each, cell.text == each)) {
        actions.push_back(TypeInForm{cell.field, each});
      }
    }
    end_menu();
  }
  ImGui::PopID();
  go_on_at(left + width);
  ImGui::Dummy({0, 0});
}

void draw_wrong(const AppState& state, std::initializer_list<const FormCell*> cells) {
  for (const FormCell* cell : cells) {
    if (!cell->wrong.empty()) {
      write_wrapped(Type::small, words(state, colours(state).bad), cell->wrong);
    }
  }
}

void next_field(const AppState& state) {
  ImGui::SameLine(0, px(state, between_fields));
}

// As wide as the longest of the names at the left of the lines, within bounds.
template <class Lines, class Name>
float width_of_names(const AppState& state, const Lines& lines, Name name) {
  float longest = 0;
  for (const auto& line : lines) {
    longest = std::max(longest, text_size(Type::body, std::invoke(name, line)).x);
  }
  return std::clamp(longest + px(state, 2 * between_fields), px(state, narrowest_names),
                    px(state, widest_names));
}

// What stands at the left of a line; its hint says all of it.
void draw_line_name(const AppState& state, const std::string& name, const std::string& note, float width) {
  const float left = ImGui::GetCursorPosX();
  ImGui::AlignTextToFramePadding();
  write(Type::body, colours(state).text, elided(Type::body, name, width - px(state, between_fields)));
  if (ImGui::IsItemHovered()) {
    hint(state, std::vector<std::string>{name, note});
  }
  go_on_at(left + width);
}

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

void draw_launch(const AppState& state, const LaunchForm& form, Actions& actions) {
  write(Type::small, colours(state).dim, "Launch: along x, y and z");
  draw_sides(state, "Block", "Threads of a block. Expressions know the macros and sizes.", form.block, actions);
  draw_sides(state, "Grid", "Blocks of the launch. Expressions know the macros and sizes.", form.grid, actions);
  draw_line_name(state, "Shared bytes", "Dynamic shared memory of a block: extern __shared__.",
                 px(state, widest_names));
  draw_field(state, form.dynamic_shared, ImGui::GetContentRegionAvail().x, actions);
  draw_wrong(state, {&form.dynamic_shared});
  for (const std::string& each : form.wrong) {
    write_wrapped(Type::small, words(state, colours(state).bad), each);
  }
  if (!form.cannot_launch.empty()) {
    write_wrapped(Type::small, words(state, colours(state).warn), form.cannot_launch);
  }
  if (!form.comes_to.empty()) {
    write_wrapped(Type::small, colours(state).dim, form.comes_to);
  }
  write_wrapped(Type::figure_small, colours(state).dim, form.call);
}

void draw_parameters(const AppState& state, const LaunchForm& form, Actions& actions) {
  write(Type::small, colours(state).dim, "Sizes and macros: values, and the first one");
  const float names = width_of_names(state, form.parameters, &LaunchForm::OfParameter::name);
  for (const LaunchForm::OfParameter& each : form.parameters) {
    draw_line_name(state, each.name, each.role, names);
    const float room = ImGui::GetContentRegionAvail().x - px(state, between_fields);
    draw_field(state, each.values, room * 0.68f, actions);
    next_field(state);
    draw_field(state, each.default_value, room * 0.32f, actions);
    draw_wrong(state, {&each.values, &each.default_value});
  }
}

void draw_buffers(const AppState& state, const LaunchForm& form, Actions& actions) {
  write(Type::small, colours(state).dim, "Buffers: elements, type, role");
  const float role = chip_size(state, "output").x, type = chip_size(state, "long_long").x;
  const float names = width_of_names(state, form.buffers, &LaunchForm::OfBuffer::name);
  for (const LaunchForm::OfBuffer& each : form.buffers) {
    draw_line_name(state, each.name, each.size, names);
    const float room =
        ImGui::GetContentRegionAvail().x - role - type - px(state, 3 * between_fields + size_width);
    draw_field(state, each.count, std::max(room, px(state, 50)), actions);
    next_field(state);
    draw_word_choice(state, each.element,
                     {"float", "double", "half", "bfloat16", "char", "short", "int", "long_long"}, type,
                     actions);
    next_field(state);
    draw_word_choice(state, each.role, {"input", "output", "in_out"}, role, actions);
    next_field(state);
    write_right(Type::figure_small, colours(state).dim, each.size);
    draw_wrong(state, {&each.count, &each.element, &each.role});
  }
}

std::string caption_of(const LaunchForm& form) {
  return form.edited    ? "Not saved yet."
         : form.guessed ? "Sizes, block and grid are first guesses: correct them here."
                        : form.file;
}

// At the right end of the line of the tabs.
void draw_save(const AppState& state, const LaunchForm& form, const char* save, Actions& actions) {
  if (chip(state, "Discard", colours(state).accent, false)) {
    actions.push_back(DiscardTyped{});
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
  const float for_cross = state.view.drawer == Drawer::launch ? px(state, 26) : 0;
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
  if (!state.shown.launch_form) {
    return;
  }
  const LaunchForm& form = *state.shown.launch_form;
  draw_caption_and_save(state, form, actions);
  const float width = ImGui::GetContentRegionAvail().x / state.settings.scale;
  const int columns = std::clamp(static_cast<int>(width / narrowest_column), 1, 3);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {px(state, 5), px(state, 2)});
  if (ImGui::BeginTable("form", columns, ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingStretchSame)) {
    ImGui::TableNextColumn();
    draw_launch(state, form, actions);
    gap(state, 2);  // else the next column begins at the height of this line's words
    ImGui::TableNextColumn();
    draw_parameters(state, form, actions);
    gap(state, 2);
    if (columns != 2) {  // else the first is the longer one
      ImGui::TableNextColumn();
    }
    draw_buffers(state, form, actions);
    ImGui::EndTable();
  }
  ImGui::PopStyleVar();
}

}  // namespace rooftile::window
