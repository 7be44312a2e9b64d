#include "app/window/panels/kernel/launch_fields.hpp"

namespace rooftile::window {
namespace {

constexpr float entry_menu_width = 240;

// "buffer.A.count"; of a side of the block "launch.block.x"; of an argument "launch.arguments.2"
std::string id_of(const FormField& field) {
  const auto& [section, entry, key] = field.place;
  const std::string id = section + "." + (entry.empty() ? "" : entry + ".") + key;
  return key == "block" || key == "grid" ? id + "." + "xyz"[field.item]
         : key == "arguments"            ? id + "." + std::to_string(field.item)
                                         : id;
}

// On the line of the last item; x: in the window, whose columns SameLine() counts from their own left edge.
void go_on_at(float x) {
  ImGui::SameLine();
  ImGui::SetCursorPosX(x);
}

// Taken when Enter ends it, which closes the menu. Empty: not yet.
std::string asked_name(const AppState& state, const std::string& now) {
  std::string typed = now;
  if (ImGui::IsWindowAppearing()) {
    ImGui::SetKeyboardFocusHere();
  }
  const TypeScope scope(Type::figure_small);
  ImGui::SetNextItemWidth(px(state, entry_menu_width));
  if (!text_field("##name", "name it, then Enter", typed, ImGuiInputTextFlags_EnterReturnsTrue)) {
    return "";
  }
  ImGui::CloseCurrentPopup();
  return typed;
}

void draw_entry_menu(const AppState& state, const EntryName& entry, Actions& actions) {
  if (entry.can_be_renamed) {
    if (const std::string name = asked_name(state, entry.name); !name.empty()) {
      actions.push_back(RenameInForm{entry.section, entry.name, name});
    }
  } else {
    write(Type::small, colours(state).dim, "A macro has its name from the source.");
  }
  if (entry.why_no_removal) {
    ImGui::Dummy({px(state, entry_menu_width), 0});
    write_wrapped(Type::small, colours(state).dim, *entry.why_no_removal);
  } else if (menu_row("Remove")) {
    actions.push_back(RemoveFromForm{entry.section, entry.name});
  }
}

}  // namespace

void draw_field(const AppState& state, const FormCell& cell, float width, Actions& actions) {
  std::string typed = cell.text;
  const Palette& token = colours(state);
  const Rgb edge = !cell.wrong.empty() ? token.bad : cell.typed ? token.accent : token.edge;
  const TypeScope scope(Type::figure_small);
  ImGui::SetNextItemWidth(width);
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1);
  ImGui::PushStyleColor(ImGuiCol_Border, ink(edge));
  if (text_field(("##" + id_of(cell.field)).c_str(), "", typed)) {
    actions.push_back(TypeInForm{cell.field, typed});
  }
  if (ImGui::IsItemHovered() && !ImGui::IsItemActive() && ImGui::CalcTextSize(cell.text.c_str()).x > width) {
    hint(state, cell.text);
  }
  const bool entered = ImGui::IsItemDeactivated() && ImGui::IsKeyPressed(ImGuiKey_Enter, false);
  if (entered && !state.derived.shown.launch_form->why_no_save) {
    actions.push_back(SaveForm{});
  }
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
}

void draw_word_choice(const AppState& state, const FormCell& cell, const std::vector<std::string>& words_of_it,
                      float width, Actions& actions) {
  const std::string id = id_of(cell.field);
  const float left = ImGui::GetCursorPosX();
  ImGui::PushID(id.c_str());
  if (chip(state, cell.text.empty() ? "choose" : cell.text.c_str(), colours(state).accent, cell.typed)) {
    ImGui::OpenPopup("choice");
  }
  if (begin_menu(state, "choice")) {
    for (const std::string& each : words_of_it) {
      if (menu_row(each.c_str(), cell.text == each)) {
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

void draw_line_name(const AppState& state, const std::string& name, const std::string& note, float width) {
  const float left = ImGui::GetCursorPosX();
  ImGui::AlignTextToFramePadding();
  write(Type::body, colours(state).text, elided(Type::body, name, width - px(state, between_fields)));
  if (ImGui::IsItemHovered()) {
    hint(state, std::vector<std::string>{name, note});
  }
  go_on_at(left + width);
}

void draw_entry_name(const AppState& state, const EntryName& entry, float width, Actions& actions) {
  const float left = ImGui::GetCursorPosX();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{width - px(state, between_fields), ImGui::GetFrameHeight()};
  ImGui::PushID(entry.section.c_str());
  ImGui::PushID(entry.name.c_str());
  if (ImGui::InvisibleButton("entry", size)) {
    ImGui::OpenPopup("menu");
  }
  const bool hovered = ImGui::IsItemHovered();
  if (begin_menu(state, "menu")) {
    draw_entry_menu(state, entry, actions);
    end_menu();
  } else if (hovered) {
    hint(state, std::vector<std::string>{entry.name, entry.note, "Press to rename or remove it."});
  }
  ImGui::PopID();
  ImGui::PopID();
  draw_text(*ImGui::GetWindowDrawList(), {at.x, at.y + ImGui::GetStyle().FramePadding.y}, Type::body,
            ink(hovered ? words(state, colours(state).accent) : colours(state).text),
            elided(Type::body, entry.name, size.x));
  go_on_at(left + width);
}

void draw_add_named(const AppState& state, const char* label, const AddToForm& entry, Actions& actions) {
  ImGui::PushID(label);
  if (chip(state, label, colours(state).accent, false)) {
    ImGui::OpenPopup("add");
  }
  if (begin_menu(state, "add")) {
    if (const std::string name = asked_name(state, ""); !name.empty()) {
      actions.push_back(AddToForm{entry.section, entry.role, name});
    }
    end_menu();
  }
  ImGui::PopID();
}

void draw_add_one_of(const AppState& state, const char* label, const AddToForm& entry,
                     const std::vector<std::string>& names, Actions& actions) {
  ImGui::PushID(label);
  if (chip(state, label, colours(state).accent, false)) {
    ImGui::OpenPopup("add");
  }
  if (begin_menu(state, "add")) {
    for (const std::string& name : names) {
      if (menu_row(name.c_str())) {
        actions.push_back(AddToForm{entry.section, entry.role, name});
      }
    }
    end_menu();
  }
  ImGui::PopID();
}

}  // namespace rooftile::window
